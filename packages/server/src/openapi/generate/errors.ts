/**
 * Which errors an operation is documented to answer with, and what their bodies look like.
 * @module
 */
import {
  AgentkeepError,
  CONTRACT_VERSION,
  type ErrorCode,
  type Operation,
  type OperationName,
} from '@agentkeep/core';
import { statusOfKind } from '../../http/status.js';
import type { Reference, ResponseObject, SchemaNode } from '../openapi-document.js';
import { headersOf } from './headers.js';

const onEveryCall: readonly ErrorCode[] = ['rate_limit_exceeded', 'internal_error'];
const onEveryProof: readonly ErrorCode[] = ['unauthorized', 'storage_inconsistency'];
const onEveryDocument: readonly ErrorCode[] = ['invalid_request', 'request_too_large'];
/** What calls that reach no operation answer with. */
const elsewhere: readonly ErrorCode[] = ['not_found', 'method_not_allowed'];

/** Answers that clients must expect although no case of today leads to them. */
const reserved: { readonly [N in OperationName]?: readonly ErrorCode[] } = {
  listTenantCredentials: ['revision_conflict', 'request_too_large'],
};

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed or breaks a bound.',
  401: 'The proof is missing, malformed, unknown, expired or revoked.',
  403: 'The proof is good, and its authority does not cover the request.',
  404: 'There is no such thing in the authorized scope.',
  409: 'The request contradicts what is stored.',
  413: 'The body is larger than 65,536 bytes.',
  429: 'This client has used up its requests; can come in place of any other answer.',
  500: 'The service failed, or stored data does not verify.',
};

/** The errors of an operation: codes on the wire by status. */
export type ErrorsByStatus = ReadonlyMap<number, readonly string[]>;

/** The errors of any call, one that needs no proof. */
export const errorsOfPublicCall: ErrorsByStatus = byStatus(onEveryCall);

/** The errors that an operation can answer with. */
export function errorsOf(name: OperationName, operation: Operation): ErrorsByStatus {
  const hasDocument = 'document' in operation.input;
  return byStatus([
    ...operation.errors,
    ...onEveryCall,
    ...(operation.access === 'authenticated' ? onEveryProof : []),
    ...(hasDocument ? onEveryDocument : []),
    ...(reserved[name] ?? []),
  ]);
}

function byStatus(codes: readonly ErrorCode[]): ErrorsByStatus {
  const found = new Map<number, readonly string[]>();
  for (const code of codes) {
    const { kind, wireCode } = new AgentkeepError(code);
    const status = statusOfKind[kind];
    found.set(status, [...new Set([...(found.get(status) ?? []), wireCode])].sort());
  }
  return found;
}

/** References to the responses of an operation that report errors, by status. */
export function errorResponses(errors: ErrorsByStatus): Record<string, Reference> {
  return Object.fromEntries(
    [...errors].map(([status, codes]) => {
      const $ref = `#/components/responses/${responseName(status, codes)}`;
      return [String(status), { $ref }] as const;
    }),
  );
}

/** The responses that report the errors of all operations, as components. */
export function responseComponents(all: readonly ErrorsByStatus[]): Record<string, ResponseObject> {
  const named = all.flatMap((errors) =>
    [...errors].map(
      ([status, codes]) => [responseName(status, codes), errorResponse(status, codes)] as const,
    ),
  );
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** For example `InvalidRequest413`: operations with the same codes share a response. */
function responseName(status: number, codes: readonly string[]): string {
  const words = codes.join('_or_').split('_');
  return (
    words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + String(status)
  );
}

function errorResponse(status: number, codes: readonly string[]): ResponseObject {
  const meaning = meanings[status];
  if (meaning === undefined) throw new Error(`Status ${status} has no meaning here.`);
  const schema = status === statusOfKind.rate_limited ? 'RateLimited' : 'Error';
  return {
    description: `${meaning} Code: ${codes.map((code) => `\`${code}\``).join(' or ')}.`,
    headers: headersOf(status),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

/** The schemas of error bodies, given the errors of all operations. */
export function errorSchemas(all: readonly ErrorsByStatus[]): Record<string, SchemaNode> {
  const refused = statusOfKind.rate_limited;
  const codes = [...all, byStatus(elsewhere)].flatMap((errors) =>
    [...errors].flatMap(([status, each]) => (status === refused ? [] : each)),
  );
  const message = {
    type: 'string',
    description: 'What happened and what to do next, for people. It echoes no input.',
  };
  const seconds = { type: 'integer', minimum: 0 };
  return {
    Error: closedObject({
      contract_version: { type: 'integer', const: CONTRACT_VERSION },
      error: closedObject({ code: { type: 'string', enum: [...new Set(codes)].sort() }, message }),
    }),
    RateLimited: closedObject({
      error: { type: 'string', const: new AgentkeepError('rate_limit_exceeded').wireCode },
      message,
      limit: { type: 'integer', minimum: 0, description: 'Requests that the window allows.' },
      remaining: { type: 'integer', minimum: 0, description: 'Requests that are left.' },
      reset_in_seconds: { ...seconds, description: 'Seconds until the bucket is full again.' },
    }),
  };
}

function closedObject(properties: Readonly<Record<string, SchemaNode>>): SchemaNode {
  const required = Object.keys(properties);
  return { type: 'object', properties, additionalProperties: false, required };
}
