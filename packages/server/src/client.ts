/**
 * A typed client for a running server. Its agents and administrators have the same interface as
 * embedded ones, so a program changes one line to move between the two.
 */
import {
  Administrator,
  Agent,
  AgentkeepError,
  type CallOptions,
  errorCatalogue,
  type ErrorCode,
  type InstallationLogin,
  type LoggedIn,
  type LoggedInAdministrator,
  type LoginInput,
  type OpenedAdministratorSession,
  type OpenedSession,
  type OperationName,
  type RefusedMember,
} from '@agentkeep/core';
import {
  type CallOperation,
  loginDocument,
  looksLikeApiKey,
  type OutputOf,
  type PartsOf,
  personOf,
  platformLogin,
  renewedToken,
  requireArguments,
} from '@agentkeep/core/transport';
import { fillPath, routes } from './routes.js';

/** A server to call. */
export interface ServerAddress {
  /** Base address, such as `http://127.0.0.1:7474`. */
  readonly url: string;
  /** Replaces the global `fetch`, for instance in tests. */
  readonly fetch?: (url: string, init: RequestInit) => Response | Promise<Response>;
}

/** A server to call, and the proof to call it with. */
export interface ConnectOptions extends ServerAddress {
  /** Secret of a credential or of a session, an access token, or an API key. */
  readonly secret: string;
}

/**
 * Returns an agent that calls a server. It sends nothing before its first call.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { bootstrapTenant } from '@agentkeep/core/operator';
 * import { createServer } from '@agentkeep/server';
 * import { connect } from '@agentkeep/server/client';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
 * const app = createServer(keep);
 * const admin = connect({ url: 'http://localhost', secret, fetch: app.request });
 * if ((await admin.whoAmI()).tenant_id !== 'acme') throw new Error('wrong tenant');
 * ```
 */
export function connect(options: ConnectOptions): Agent {
  return new Agent(callOf(options), newKey);
}

/**
 * Returns an administrator of the installation that calls a server. The secret is that of the
 * master or of a delegate, or the token or API key of an account of the installation. It sends
 * nothing before its first call.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { bootstrapMaster } from '@agentkeep/core/operator';
 * import { createServer } from '@agentkeep/server';
 * import { connectAdministrator } from '@agentkeep/server/client';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const { secret } = await bootstrapMaster(keep, 'root');
 * const fetch = createServer(keep).request;
 * const master = connectAdministrator({ url: 'http://localhost', secret, fetch });
 * if (!(await master.identity()).is_master) throw new Error('unexpected');
 * ```
 */
export function connectAdministrator(options: ConnectOptions): Administrator {
  return new Administrator(callOf(options));
}

function callOf(options: ConnectOptions): CallOperation {
  requireArguments('connect()', { options });
  const { url, secret, fetch = globalThis.fetch } = options;
  requireArguments('connect()', { url, secret });
  let proof = secret;
  const call: CallOperation = async (name, parts, options = {}) => {
    const output = await send({ url, fetch, secret: proof }, name, parts, options);
    proof = renewedToken(name, output) ?? proof;
    return output;
  };
  return call;
}

/** A server, and the person who logs in to it. */
export type LogInOptions = ServerAddress & LoginInput;

/** A server, and the person who logs in to its installation: without a tenant. */
export type AdministratorLogInOptions = ServerAddress & InstallationLogin;

/**
 * Logs a person in to a server and returns the clients of the account, as `keep.logIn()` does.
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
  const document = loginDocument(options);
  const { url, fetch = globalThis.fetch } = options;
  requireArguments('logIn()', { url });
  const tokens = await send({ url, fetch }, 'authLogin', { document }, callOptions);
  return { ...person({ url, fetch, secret: tokens.access_token }, options), tokens };
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
  requireArguments('openSession()', { options });
  const { url, fetch = globalThis.fetch } = options;
  requireArguments('openSession()', { url });
  const call: CallOperation = (name, parts, each) => send({ url, fetch }, name, parts, each);
  const session = await platformLogin(call, options, callOptions);
  return { ...person({ url, fetch, secret: session.token }, options), session };
}

function person(options: ConnectOptions, login: LoginInput): ReturnType<typeof personOf> {
  return personOf(callOf(options), newKey, login);
}

function newKey(): string {
  return globalThis.crypto.randomUUID();
}

async function send<N extends OperationName>(
  { url, secret, fetch }: Required<ServerAddress> & { readonly secret?: string },
  name: N,
  parts: PartsOf<N>,
  { signal }: CallOptions = {},
): Promise<OutputOf<N>> {
  const base = url.endsWith('/') ? url.slice(0, -1) : url;
  const { method } = routes[name];
  const { id, parameters, document } = parts as RequestParts;
  const response = await fetch(base + pathOf(routes[name].path, id, parameters), {
    method,
    headers: {
      ...(secret === undefined ? {} : proofHeader(secret)),
      ...(document === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(document === undefined ? {} : { body: JSON.stringify(document) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const body: unknown = await response.json();
  if (!response.ok) throw errorOf(body);
  // The server answers by the contract that these types come from.
  return body as OutputOf<N>;
}

/** An API key has a header of its own. */
function proofHeader(secret: string): Record<string, string> {
  return looksLikeApiKey(secret) ? { 'X-API-Key': secret } : { Authorization: `Bearer ${secret}` };
}

interface RequestParts {
  readonly id?: string;
  readonly parameters?: Record<string, string | number>;
  readonly document?: unknown;
}

function pathOf(
  template: string,
  id: string | undefined,
  parameters: Record<string, string | number> = {},
): string {
  const path = fillPath(template, encodeURIComponent(id ?? ''));
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

interface ErrorBody {
  readonly error?:
    string | { readonly code?: string; readonly message?: string; readonly members?: unknown };
  readonly message?: string;
  readonly members?: unknown;
}

/** Members of an answer that say nothing beside code and message. */
const PLAIN = ['error', 'message', 'members', 'contract_version'];

/** Returns the error of an answer, which is flat or in the envelope of the platform operations. */
function errorOf(body: unknown): AgentkeepError {
  const sent = Object(body) as ErrorBody;
  const { error } = sent;
  const { code, message, members } = typeof error === 'object' ? error : { ...sent, code: error };
  const details = Object.entries(sent).filter(([name]) => !PLAIN.includes(name));
  return new AgentkeepError(isErrorCode(code) ? code : 'internal_error', {
    details: Object.fromEntries(details),
    cause: body,
    members: Array.isArray(members) ? members.filter(isRefusedMember) : [],
    ...(message === undefined ? {} : { message }),
  });
}

function isRefusedMember(member: unknown): member is RefusedMember {
  const { path, expected } = Object(member) as Partial<RefusedMember>;
  return typeof path === 'string' && typeof expected === 'string';
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(errorCatalogue, code);
}
