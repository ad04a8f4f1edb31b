/** The request of a call: address, headers and body. */
import {
  AgentkeepError,
  jsonDocument,
  looksLikeApiKey,
  type OperationName,
  type PartsOf,
} from '@agentkeep/core/clients';
import { fillPath, integerParameters, parameterOf, routes } from './routes.js';

/** A request, ready to be sent. */
export interface ClientRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** Milliseconds that the server may let it wait before it answers. */
  readonly waitMs: number;
}

interface RequestParts {
  readonly id?: unknown;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly document?: unknown;
}

/** Values and text units of a document; the server has a bound for each operation. */
const DOCUMENT_UNITS_MAX = 67_108_864;

/**
 * Returns the request of a call. The address has no slash at its end.
 * @throws {AgentkeepError} `invalid_request` for a document that JSON cannot write, and for an id
 * or a parameter that an address would change.
 */
export function requestOf<N extends OperationName>(
  address: string,
  secret: string | undefined,
  name: N,
  parts: PartsOf<N>,
): ClientRequest {
  const { method, path } = routes[name];
  const { id, parameters, document } = parts as RequestParts;
  const headers = {
    ...(secret === undefined ? {} : proofHeader(secret)),
    ...(document === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const body =
    document === undefined
      ? {}
      : { body: JSON.stringify(jsonDocument(document, DOCUMENT_UNITS_MAX)) };
  return {
    url: address + target(path, id, parameters),
    init: { method, headers, redirect: 'manual', ...body },
    waitMs: Number(parameters?.['wait_millis'] ?? 0),
  };
}

/** An API key has a header of its own. */
function proofHeader(secret: string): Record<string, string> {
  return looksLikeApiKey(secret) ? { 'X-API-Key': secret } : { Authorization: `Bearer ${secret}` };
}

function target(
  template: string,
  id: unknown,
  parameters: RequestParts['parameters'] = {},
): string {
  const path = parameterOf(template) === undefined ? template : fillPath(template, idOf(id));
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [
      name,
      integerParameters.has(name) ? integerOf(name, value) : textOf(name, value),
    ]),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Without an id, the path would be that of another operation. */
function idOf(value: unknown): string {
  const id = textOf('id', value);
  if (id === '') throw wrong('id', 'a text that is not empty');
  return encodeURIComponent(id);
}

/** Returns a text that comes back from an address. The server can't tell `7` from `'7'`. */
function textOf(path: string, value: unknown): string {
  if (typeof value === 'string' && value.isWellFormed()) return value;
  throw wrong(path, 'a text without half of a surrogate pair');
}

function integerOf(path: string, value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value);
  throw wrong(path, 'an integer');
}

function wrong(path: string, expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path, expected }] });
}
