/** The request of a call: address, headers and body. */
import {
  jsonDocument,
  looksLikeApiKey,
  type OperationName,
  type PartsOf,
} from '@agentkeep/core/clients';
import { fillPath, routes } from './routes.js';

/** A request, ready to be sent. */
export interface ClientRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** Milliseconds that the server may let it wait before it answers. */
  readonly waitMs: number;
}

interface RequestParts {
  readonly id?: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly document?: unknown;
}

/** Values and text units of a document; the server has a bound for each operation. */
const DOCUMENT_UNITS_MAX = 67_108_864;

/**
 * Returns the request of a call. The address has no slash at its end.
 * @throws {AgentkeepError} `invalid_request` for a document that JSON cannot write.
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
  id: string | undefined,
  parameters: RequestParts['parameters'] = {},
): string {
  const path = fillPath(template, encodeURIComponent(id ?? ''));
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}
