/** The result of a login: the clients of the person. */
import { Administrator } from './administrator.js';
import { Agent } from './agent.js';
import type { CallOperation, NewKey } from './call.js';
import type { Embeddings } from './embeddings.js';
import type { PlatformSession } from './platform-login.js';
import type { LoginInput, LoginTokens } from './session-client.js';

/** A login to the installation: without a tenant. */
export type InstallationLogin = LoginInput & { readonly tenantId?: undefined };

/** A person who has logged in with {@link Keep.logIn}. */
export interface LoggedIn {
  readonly agent: Agent;
  readonly tokens: LoginTokens;
}

/** A person of the installation who has logged in with {@link Keep.logIn}. */
export interface LoggedInAdministrator extends LoggedIn {
  readonly administrator: Administrator;
}

/** A person who has logged in with {@link Keep.openSession}. */
export interface OpenedSession {
  readonly agent: Agent;
  readonly session: PlatformSession;
}

/** A person of the installation who has logged in with {@link Keep.openSession}. */
export interface OpenedAdministratorSession extends OpenedSession {
  readonly administrator: Administrator;
}

/** Returns the clients of a person. An account of the installation gets an administrator too. */
export function personOf(
  call: CallOperation,
  newKey: NewKey,
  { tenantId }: LoginInput,
  embeddings?: Embeddings,
): { readonly agent: Agent; readonly administrator?: Administrator } {
  const agent = new Agent(call, newKey, embeddings);
  return tenantId === undefined ? { agent, administrator: new Administrator(call) } : { agent };
}
