/**
 * A request before it is written as bytes, so that its parts can still be changed one by one.
 * @module
 */
import type { Caller } from './caller.js';
import type { ContractOperation } from './contract-operations.js';
import { type Json, type JsonObject, jsonText } from './json-text.js';

/** Which sort of request it is. */
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
  /** Path and query, as they stand in the first line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** Bytes in place of all the rest, for what is no proper HTTP. */
  readonly raw?: Uint8Array;
}

/** A request with what is known of how it came about. */
export interface FuzzRequest {
  readonly kind: RequestKind;
  /** What was done to a valid request; empty for a valid one. */
  readonly change: string;
  readonly draft: Draft;
  readonly wire: WireRequest;
}

/** Writes a draft. */
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

/** A value as it stands in a path or a query. */
export function plainText(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Percent-encodes, also what is no well-formed text. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}
