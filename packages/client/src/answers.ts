/** Interprets the answers of a server: the output of a call, or an error. */
import {
  AgentkeepError,
  CONTRACT_VERSION,
  errorCatalogue,
  type ErrorCode,
  type ErrorDetails,
  type OperationName,
  type OutputOf,
  type RefusedMember,
} from '@agentkeep/core/clients';
import { boundedText, tooLarge } from './bounded-text.js';
import { isRedirect, redirected } from './redirects.js';
import type { FailedTry } from './retry-policy.js';
import { routes } from './routes.js';

/** The outcome of one try. */
export type TryOutcome<N extends OperationName> = { readonly output: OutputOf<N> } | FailedTry;

/** Statuses with which a proxy reports that the server behind it did not answer. */
const OF_PROXIES = [502, 503, 504];

/** Reads an answer to its end. */
export async function readAnswer<N extends OperationName>(
  name: N,
  response: Response,
): Promise<TryOutcome<N>> {
  if (isRedirect(response)) return { error: redirected(response) };
  const text = await boundedText(response);
  if (text === undefined) return { error: tooLarge(response) };
  const body = jsonObject(text);
  if (!response.ok) return { error: errorOf(response, body), retryAfterMs: retryAfterMs(response) };
  if (body === undefined || (routes[name].surface === 'platform' && !hasVersion(body))) {
    return { error: unexpected(response, body) };
  }
  // The server answers by the contract that these types come from.
  return { output: body as OutputOf<N> };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Returns whether an answer names the version (docs/contract/conventions.md#con-118). */
function hasVersion(body: Readonly<Record<string, unknown>>): boolean {
  return body['contract_version'] === CONTRACT_VERSION;
}

/** The part of an answer that describes an error. */
interface SentError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly members?: unknown;
}

/** Members of an answer that add nothing to code and message. */
const PLAIN = ['message', 'members', 'contract_version'];

/** Returns the error of an answer, which is flat or in the envelope of the platform operations. */
function errorOf(response: Response, body: object | undefined): AgentkeepError {
  const { error, ...others } = (body ?? {}) as { readonly error?: unknown };
  const sent: unknown = typeof error === 'string' ? { ...others, code: error } : error;
  const { code, message, members } = (sent ?? {}) as SentError;
  if (!isErrorCode(code)) return unexpected(response, body);
  const details = Object.entries(others).filter(([name]) => !PLAIN.includes(name));
  return new AgentkeepError(code, {
    details: Object.fromEntries(details) as ErrorDetails,
    cause: body,
    members: Array.isArray(members) ? members.filter(isRefusedMember) : [],
    ...(typeof message === 'string' ? { advice: message } : {}),
  });
}

/** Returns the error for an answer that no server of this contract gives. */
function unexpected({ status }: Response, body: object | undefined): AgentkeepError {
  const code = OF_PROXIES.includes(status) ? 'server_unreachable' : 'unexpected_answer';
  return new AgentkeepError(code, { details: { status }, cause: body });
}

function isRefusedMember(member: unknown): member is RefusedMember {
  const { path, expected } = Object(member) as Partial<RefusedMember>;
  return typeof path === 'string' && typeof expected === 'string';
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCatalogue, code);
}

/** The wait that an answer requests: seconds, or a date, compared with the date of the answer. */
function retryAfterMs({ headers }: Response): number | undefined {
  const text = headers.get('Retry-After');
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const ms = Date.parse(text) - Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
