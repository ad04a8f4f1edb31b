/** Clients of people who logged in. */
import { CONTRACT_VERSION } from '../contract/version.js';
import { Administrator } from './administrator.js';
import { Agent } from './agent.js';
import type { CallOperation, CallOptions, NewKey, OutputOf } from './call.js';
import type { Embeddings } from './embeddings.js';
import { checkedLogin, type LoginInput, type LoginTokens } from './session-client.js';

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

/** A session with its token, which is shown only once. It cannot be renewed. */
type PlatformSession = OutputOf<'loginTenant'>['session'];

/** Logs in with the operation of the login's authority. */
export async function platformLogin(
  call: CallOperation,
  login: LoginInput,
  options?: CallOptions,
): Promise<PlatformSession> {
  const { username, password, tenantId } = checkedLogin('openSession()', login);
  const person = { contract_version: CONTRACT_VERSION, username, password };
  const { session } =
    tenantId === undefined
      ? await call('loginGlobal', { document: person }, options)
      : await call('loginTenant', { document: { ...person, tenant_id: tenantId } }, options);
  return session;
}
