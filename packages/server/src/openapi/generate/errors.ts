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
  type Surface,
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

/** The errors of an operation: codes on the wire by status, in the shape of its surface. */
export interface ErrorsByStatus {
  readonly surface: Surface;
  readonly codes: ReadonlyMap<number, readonly string[]>;
}

/** The errors of any call, one that needs no proof. */
export const errorsOfPublicCall: ErrorsByStatus = {
  surface: 'platform',
  codes: byStatus(onEveryCall),
};

/** The errors that an operation can answer with. */
export function errorsOf(name: OperationName, operation: Operation): ErrorsByStatus {
  const hasDocument = 'document' in operation.input;
  const codes = byStatus([
    ...operation.errors,
    ...onEveryCall,
    ...(operation.access === 'authenticated' ? onEveryProof : []),
    ...(hasDocument ? onEveryDocument : []),
    ...(reserved[name] ?? []),
  ]);
  return { surface: operation.surface ?? 'platform', codes };
}

function byStatus(codes: readonly ErrorCode[]): ErrorsByStatus['codes'] {
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
    [...errors.codes].map(([status, codes]) => {
      const $ref = `#/components/responses/${responseName(errors.surface, status, codes)}`;
      return [String(status), { $ref }] as const;
    }),
  );
}

/** The responses that report the errors of all operations, as components. */
export function responseComponents(all: readonly ErrorsByStatus[]): Record<string, ResponseObject> {
  const named = all.flatMap((errors) =>
    [...errors.codes].map(
      ([status, codes]) =>
        [
          responseName(errors.surface, status, codes),
          errorResponse(errors.surface, status, codes),
        ] as const,
    ),
  );
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** For example `InvalidRequest413`: operations with the same codes share a response. */
function responseName(surface: Surface, status: number, codes: readonly string[]): string {
  const words = codes.join('_or_').split('_');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return `${schemaOf(surface, status) === 'FlatError' ? 'Flat' : ''}${name}${String(status)}`;
}

/** The schema of a body that reports an error; a refusal by rate has one shape everywhere. */
function schemaOf(surface: Surface, status: number): string {
  if (status === statusOfKind.rate_limited) return 'RateLimited';
  return surface === 'account' ? 'FlatError' : 'Error';
}

function errorResponse(surface: Surface, status: number, codes: readonly string[]): ResponseObject {
  const meaning = meanings[status];
  if (meaning === undefined) throw new Error(`Status ${status} has no meaning here.`);
  const schema = schemaOf(surface, status);
  return {
    description: `${meaning} Code: ${codes.map((code) => `\`${code}\``).join(' or ')}.`,
    headers: headersOf(status),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

/** The schemas of error bodies, given the errors of all operations. */
export function errorSchemas(all: readonly ErrorsByStatus[]): Record<string, SchemaNode> {
  const code = (surface: Surface): SchemaNode => {
    const shaped = all.filter((errors) => errors.surface === surface);
    const codes = [byStatus(elsewhere), ...shaped.map((errors) => errors.codes)].flatMap(codesOf);
    return { type: 'string', enum: [...new Set(codes)].sort() };
  };
  const message = {
    type: 'string',
    description: 'What happened and what to do next, for people. It echoes no input.',
  };
  const seconds = { type: 'integer', minimum: 0 };
  return {
    Error: closedObject({
      contract_version: { type: 'integer', const: CONTRACT_VERSION },
      error: closedObject({ code: code('platform'), message }),
    }),
    FlatError: closedObject({ error: code('account'), message }),
    RateLimited: closedObject({
      error: { type: 'string', const: new AgentkeepError('rate_limit_exceeded').wireCode },
      message,
      limit: { type: 'integer', minimum: 0, description: 'Requests that the window allows.' },
      remaining: { type: 'integer', minimum: 0, description: 'Requests that are left.' },
      reset_in_seconds: { ...seconds, description: 'Seconds until the bucket is full again.' },
    }),
  };
}

/** The codes that are told in the shape of a surface. */
function codesOf(codes: ErrorsByStatus['codes']): string[] {
  return [...codes].flatMap(([status, each]) =>
    status === statusOfKind.rate_limited ? [] : [...each],
  );
}

function closedObject(properties: Readonly<Record<string, SchemaNode>>): SchemaNode {
  const required = Object.keys(properties);
  return { type: 'object', properties, additionalProperties: false, required };
}
