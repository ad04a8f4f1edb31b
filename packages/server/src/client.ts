/**
 * A typed client for a running server, with the same interface as an embedded agent: a runtime
 * swaps one for the other without another change.
 * @module
 */
import {
  Administrator,
  Agent,
  AgentkeepError,
  type CallOptions,
  errorCatalogue,
  type ErrorCode,
  type LoggedIn,
  type LoginInput,
  type OpenedSession,
  type OperationName,
} from '@agentkeep/core';
import {
  type CallOperation,
  loginDocument,
  looksLikeApiKey,
  type OutputOf,
  type PartsOf,
  platformLogin,
  renewedToken,
} from '@agentkeep/core/transport';
import { fillPath, routes } from './routes.js';

/** Where the server is, and who calls. */
export interface ConnectOptions {
  /** Base address, such as `http://127.0.0.1:7474`. */
  readonly url: string;
  /** Secret of a credential or of a session, an access token, or an API key. */
  readonly secret: string;
  /** Replaces the global `fetch`, for instance in tests. */
  readonly fetch?: (url: string, init: RequestInit) => Response | Promise<Response>;
}

/**
 * An agent over HTTP. Nothing is sent before the first call.
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
  return new Agent(callOf(options));
}

/**
 * An administrator of the installation over HTTP, with the secret of the master or of a delegate.
 * Nothing is sent before the first call.
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

function callOf({ url, secret, fetch = globalThis.fetch }: ConnectOptions): CallOperation {
  let proof = secret;
  const call: CallOperation = async (name, parts, options = {}) => {
    const output = await send({ url, fetch, secret: proof }, name, parts, options);
    proof = renewedToken(name, output) ?? proof;
    return output;
  };
  return call;
}

/** Where the server is, and which person logs in. */
export type LogInOptions = Omit<ConnectOptions, 'secret'> & LoginInput;

/**
 * Logs a person in over HTTP, and gives the agent that the account is.
 * @throws {AgentkeepError} `invalid_login` for whatever is wrong; `account_locked` after too many
 * failures; `login_busy`.
 */
export async function logIn(options: LogInOptions, callOptions?: CallOptions): Promise<LoggedIn> {
  const { url, fetch = globalThis.fetch } = options;
  const document = loginDocument(options);
  const tokens = await send({ url, fetch }, 'authLogin', { document }, callOptions);
  return { agent: connect({ url, fetch, secret: tokens.access_token }), tokens };
}

/**
 * Logs a person in to the platform over HTTP, for fifteen minutes at most, and gives the agent that
 * the account is.
 * @throws {AgentkeepError} `invalid_login` for whatever is wrong; `account_locked` after too many
 * failures; `login_busy`.
 */
export async function openSession(
  options: LogInOptions,
  callOptions?: CallOptions,
): Promise<OpenedSession> {
  const { url, fetch = globalThis.fetch } = options;
  const call: CallOperation = (name, parts, each) => send({ url, fetch }, name, parts, each);
  const session = await platformLogin(call, options, callOptions);
  return { agent: connect({ url, fetch, secret: session.token }), session };
}

/** Makes one call. */
async function send<N extends OperationName>(
  { url, secret, fetch }: Required<Omit<ConnectOptions, 'secret'>> & { readonly secret?: string },
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
  readonly error?: string | { readonly code?: string; readonly message?: string };
  readonly message?: string;
}

/** Members of an answer that say nothing beside code and message. */
const PLAIN = ['error', 'message', 'contract_version'];

/** The error that an answer stands for: flat, or in the envelope of the platform operations. */
function errorOf(body: unknown): AgentkeepError {
  const members = Object(body) as ErrorBody;
  const { error } = members;
  const { code, message } =
    typeof error === 'object' ? error : { code: error, message: members.message };
  const details = Object.entries(members).filter(([name]) => !PLAIN.includes(name));
  return new AgentkeepError(isErrorCode(code) ? code : 'internal_error', {
    details: Object.fromEntries(details),
    cause: body,
    ...(message === undefined ? {} : { message }),
  });
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(errorCatalogue, code);
}
