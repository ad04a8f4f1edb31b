/** Access to a keep, in process or over HTTP, behind one small interface. */
import { type Agent, AgentkeepError, type Keep, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { connect, type ConnectOptions } from '@agentkeep/server/client';

/** What the example needs of a keep. */
export interface KeepAccess {
  /** Administrator of the tenant of the example. */
  readonly admin: Agent;
  /** Returns the agent that a secret authenticates. */
  agentOf(secret: string): Promise<Agent>;
}

/** Wraps a keep in this process, with the administrator's secret. */
export async function embeddedAccess(keep: Keep, adminSecret: string): Promise<KeepAccess> {
  return {
    admin: await keep.authenticate(adminSecret),
    agentOf: (secret) => keep.authenticate(secret),
  };
}

/** Connects to a running server, with the administrator's secret. */
export function serverAccess({ secret, ...server }: ConnectOptions): KeepAccess {
  return {
    admin: connect({ ...server, secret }),
    agentOf: (each) => Promise.resolve(connect({ ...server, secret: each })),
  };
}

/** The directory and tenant to use; an existing tenant needs its administrator's secret. */
export interface DirectoryTenant {
  readonly dataDir: string;
  readonly tenantId: string;
  readonly adminSecret: string | undefined;
}

/** A keep that the example opened, and its administrator's secret. */
export interface OpenedKeep {
  readonly keep: Keep;
  readonly adminSecret: string;
}

/**
 * Opens a keep in a directory, and makes the tenant unless a secret is given.
 * @throws {AgentkeepError} as `openKeep` does.
 * @throws {Error} when the tenant exists and no secret is given.
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
