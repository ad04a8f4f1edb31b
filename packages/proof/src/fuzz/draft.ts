/** Drafts of requests, whose parts can be changed one by one before encoding. */
import type { Caller } from './caller.js';
import type { ContractOperation } from './contract-operations.js';
import { type Json, type JsonObject, jsonText } from './json-text.js';

/** The kind of a request. */
export type RequestKind = 'valid' | 'nearly valid' | 'hostile';

/** A request in parts. */
export interface Draft {
  readonly operation: ContractOperation;
  readonly caller: Caller;
  /** Values of the parameters of the path. */
  readonly path: JsonObject;
  /** Parameters of the query; those that a mutation adds may repeat a name. */
  query: [name: string, value: string][];
  /** Absent for operations without a body. */
  document: Json | undefined;
}

/** A request as it is sent. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** Bytes that replace all other parts, for malformed HTTP. */
  readonly raw?: Uint8Array;
}

/** A request with its origin. */
export interface FuzzRequest {
  readonly kind: RequestKind;
  /** The name of the change to a valid request; empty if it is valid. */
  readonly change: string;
  readonly draft: Draft;
  readonly wire: WireRequest;
}

/** Encodes a draft. */
export function wireOf({ operation, caller, path, query, document }: Draft): WireRequest {
  const target = operation.path.replace(/\{(\w+)\}/, (_whole, name: string) =>
    encode(plainText(path[name] ?? null)),
  );
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const hasBody = document !== undefined;
  return {
    method: operation.method,
    target: pairs === '' ? target : `${target}?${pairs}`,
    headers: [...caller.proof, ...(hasBody ? JSON_TYPE : [])],
    body: hasBody ? Buffer.from(jsonText(document)) : undefined,
  };
}

const JSON_TYPE = [['Content-Type', 'application/json']] as const;

/** Returns the name of the one parameter of a path; `id` if there is none. */
export function pathParameter(path: JsonObject): string {
  return Object.keys(path)[0] ?? 'id';
}

/** Formats a value for a path or a query. */
export function plainText(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Percent-encodes a text, even if it is not well-formed. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}
