/**
 * The parties that work while a fault happens: administrator, writer and judge of one tenant, and
 * an administrator of the installation.
 */
import type { Administrator, Agent, ScopeInput } from '@agentkeep/core';
import { connect, connectAdministrator, type ServerAddress } from '@agentkeep/server/client';

/** The scopes of the work. */
export const workScopes: readonly [ScopeInput, ScopeInput] = [
  { project_id: 'p', agent_id: 'a', visibility: 'private' },
  { project_id: 'p', agent_id: 'a', mission_id: 'm', visibility: 'shared' },
];

/** The secrets of all parties. */
export interface Secrets {
  readonly admin: string;
  readonly writer: string;
  readonly judge: string;
  readonly root: string;
}

/** All parties, over HTTP or in process. */
export interface Parties {
  readonly admin: Agent;
  readonly writer: Agent;
  readonly judge: Agent;
  readonly root: Administrator;
  /** Returns the agent of a secret. */
  readonly as: Door['authenticate'];
}

/** A keep, or a server that is reached over HTTP. */
export interface Door {
  authenticate(secret: string): Agent | Promise<Agent>;
  administer(secret: string): Administrator | Promise<Administrator>;
}

/** Returns the door of a server. Each call is sent once, so that its own outcome is seen. */
export function overHttp(address: ServerAddress): Door {
  return {
    authenticate: (secret) => connect({ ...address, secret, retry: false }),
    administer: (secret) => connectAdministrator({ ...address, secret, retry: false }),
  };
}

/** Authenticates all parties. */
export async function partiesOf(secrets: Secrets, door: Door): Promise<Parties> {
  return {
    admin: await door.authenticate(secrets.admin),
    writer: await door.authenticate(secrets.writer),
    judge: await door.authenticate(secrets.judge),
    root: await door.administer(secrets.root),
    as: (secret) => door.authenticate(secret),
  };
}
