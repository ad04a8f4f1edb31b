/** Agents and administrators that call a server. */
import {
  Administrator,
  Agent,
  type CallOperation,
  type CallOptions,
  type Embed,
  Embeddings,
  type InstallationLogin,
  type LoggedIn,
  type LoggedInAdministrator,
  type OpenedAdministratorSession,
  type OpenedSession,
  personOf,
  platformLogin,
  type ScopeInput,
} from '@agentkeep/core/clients';
import { callServer, callsOf } from './calls.js';
import { HeldSecret } from './held-secret.js';
import { connectCalls, logInCalls, type LogInOptions, type ProvedAddress } from './proved-calls.js';
import { checkedServer, type ServerAddress } from './server-address.js';

/** A server to call, and the proof to call it with. */
export interface ConnectOptions extends ProvedAddress {
  /**
   * Makes embeddings of the records that the agent writes, and of its queries, as `embed` of
   * `openKeep()` does.
   */
  readonly embed?: Embed | undefined;
  /** The name of the model that `embed` uses, as `embeddingSpace` of `openKeep()`. */
  readonly embeddingSpace?: string | undefined;
}

/**
 * Returns an agent that calls a server. It sends nothing before its first call.
 *
 * A call rejects with `server_unreachable` if no answer comes, and with `unexpected_answer` if the
 * answer is none of the contract.
 * @throws {AgentkeepError} `invalid_request` for a wrong option.
 * @example
 * ```ts
 * import { connect } from '@agentkeep/client';
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { bootstrapTenant } from '@agentkeep/core/operator';
 * import { createServer } from '@agentkeep/server';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
 * const app = createServer(keep);
 * const admin = connect({ url: 'http://localhost', secret, fetch: app.request });
 * if ((await admin.whoAmI()).tenant_id !== 'acme') throw new Error('wrong tenant');
 * ```
 */
export function connect(options: ConnectOptions): Agent {
  return agentIn(options, 'connect()');
}

/** {@link connect}, for an agent whose memory is in a scope where none is named. */
export function agentIn(options: ConnectOptions, caller: string, home?: ScopeInput): Agent {
  const call = connectCalls(options, caller);
  const { embed, embeddingSpace } = options;
  const embeddings =
    embed === undefined ? undefined : new Embeddings(embed, { space: embeddingSpace });
  return new Agent(call, newKey, embeddings, home);
}

/**
 * Returns an administrator of the installation that calls a server. The secret is that of the
 * master or of a delegate, or the token or API key of an account of the installation. It sends
 * nothing before its first call.
 * @throws {AgentkeepError} `invalid_request` for a wrong option.
 * @example
 * ```ts
 * import { connectAdministrator } from '@agentkeep/client';
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { bootstrapMaster } from '@agentkeep/core/operator';
 * import { createServer } from '@agentkeep/server';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const { secret } = await bootstrapMaster(keep, 'root');
 * const fetch = createServer(keep).request;
 * const master = connectAdministrator({ url: 'http://localhost', secret, fetch });
 * if (!(await master.identity()).is_master) throw new Error('unexpected');
 * ```
 */
export function connectAdministrator(options: ConnectOptions): Administrator {
  return new Administrator(connectCalls(options, 'connect()'));
}

/** A server, and the person who logs in to its installation: without a tenant. */
export type AdministratorLogInOptions = ServerAddress & InstallationLogin;

/**
 * Logs a person in to a server and returns the clients of the account, as `keep.logIn()` does. They
 * renew the access token shortly before it ends, for as long as the session lasts.
 * @throws {AgentkeepError} `invalid_login` for a wrong name, password or tenant; `account_locked`
 * after too many failures; `login_busy`.
 */
export function logIn(
  options: AdministratorLogInOptions,
  callOptions?: CallOptions,
): Promise<LoggedInAdministrator>;
export function logIn(options: LogInOptions, callOptions?: CallOptions): Promise<LoggedIn>;
/** Logs a person in. */
export async function logIn(options: LogInOptions, callOptions?: CallOptions): Promise<LoggedIn> {
  const { call, tokens } = await logInCalls(options, callOptions);
  return { ...personOf(call, newKey, options), tokens };
}

/**
 * Logs a person in to the platform of a server for fifteen minutes at most, and returns the clients
 * of the account, as `keep.openSession()` does.
 * @throws {AgentkeepError} `invalid_login` for a wrong name, password or tenant; `account_locked`
 * after too many failures; `login_busy`.
 */
export function openSession(
  options: AdministratorLogInOptions,
  callOptions?: CallOptions,
): Promise<OpenedAdministratorSession>;
export function openSession(
  options: LogInOptions,
  callOptions?: CallOptions,
): Promise<OpenedSession>;
/** Logs a person in to the platform. */
export async function openSession(
  options: LogInOptions,
  callOptions?: CallOptions,
): Promise<OpenedSession> {
  const server = checkedServer('openSession()', options);
  const call: CallOperation = (name, parts, each) =>
    callServer(server, undefined, name, parts, each);
  const session = await platformLogin(call, options, callOptions);
  return { ...personOf(callsOf(server, new HeldSecret(session.token)), newKey, options), session };
}

/** Makes a UUID. `crypto.randomUUID()` is missing on pages that were not loaded over HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
