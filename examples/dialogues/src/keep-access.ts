/**
 * The two ways to reach a keep, in process and over HTTP, behind one small interface.
 * @module
 */
import { type Agent, AgentkeepError, type Keep, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { connect, type ConnectOptions } from '@agentkeep/server/client';

/** All that the example needs of a keep; everything behind it is the same for both ways. */
export interface KeepAccess {
  /** Administrator of the tenant that the example works in. */
  readonly admin: Agent;
  /** The agent that a secret stands for. */
  agentOf(secret: string): Promise<Agent>;
}

/** Reaches a keep in this process, as the administrator with this secret. */
export async function embeddedAccess(keep: Keep, adminSecret: string): Promise<KeepAccess> {
  return {
    admin: await keep.authenticate(adminSecret),
    agentOf: (secret) => keep.authenticate(secret),
  };
}

/** Reaches the keep of a running server, as the administrator with this secret. */
export function serverAccess({ secret, ...server }: ConnectOptions): KeepAccess {
  return {
    admin: connect({ ...server, secret }),
    agentOf: (each) => Promise.resolve(connect({ ...server, secret: each })),
  };
}

/** Which directory and tenant to work in; a secret is needed where the tenant was made before. */
export interface DirectoryTenant {
  readonly dataDir: string;
  readonly tenantId: string;
  readonly adminSecret: string | undefined;
}

/** A keep that the example opened, and the secret of its administrator. */
export interface OpenedKeep {
  readonly keep: Keep;
  readonly adminSecret: string;
}

/**
 * Opens a keep in a directory, and makes the tenant unless a secret says that it is there.
 * @throws {AgentkeepError} as `openKeep` does.
 * @throws {Error} when the tenant was made before and no secret is given.
 */
export async function openDirectory(options: DirectoryTenant): Promise<OpenedKeep> {
  const { dataDir, tenantId } = options;
  const keep = await openKeep({ dataDir });
  try {
    return { keep, adminSecret: options.adminSecret ?? (await makeTenant(keep, tenantId)) };
  } catch (error) {
    await keep.close();
    throw error;
  }
}

async function makeTenant(keep: Keep, tenantId: string): Promise<string> {
  try {
    return (await bootstrapTenant(keep, { tenantId, subjectId: 'operator' })).secret;
  } catch (cause) {
    if (!(cause instanceof AgentkeepError) || cause.code !== 'tenant_exists') throw cause;
    const advice = 'Give the secret of its administrator, or another --tenant or --data-dir.';
    throw new Error(`This directory already has the tenant "${tenantId}". ${advice}`, { cause });
  }
}
