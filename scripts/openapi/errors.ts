/** The errors that an operation is documented to return, and the schemas of their bodies. */
import {
  AgentkeepError,
  type ErrorCode,
  type OperationName,
} from '../../packages/core/src/index.ts';
import { routes, type Surface } from '../../packages/client/src/routes.ts';
import { mayExceedQuota, type Operation } from '../../packages/core/src/transport.ts';
import { statusOfKind } from '../../packages/server/src/http/status.ts';
import type {
  Reference,
  ResponseObject,
} from '../../packages/server/src/openapi/openapi-document.ts';
import { errorExample } from './error-examples.ts';
import { headersOf } from './headers.ts';

const onEveryCall: readonly ErrorCode[] = ['rate_limit_exceeded', 'internal_error'];
const onEveryProof: readonly ErrorCode[] = [
  'unauthorized',
  'use_dpop_nonce',
  'subject_blocked',
  'storage_inconsistency',
];
/** Errors of every operation that reads or writes the store, encrypted or not. */
const onEveryUseOfTheStore: readonly ErrorCode[] = [
  'key_unavailable',
  'key_destroyed',
  'store_full',
  'store_unavailable',
];
/** Errors of every operation that may change something, replicated or not. */
const onEveryChange: readonly ErrorCode[] = ['replica_unavailable', 'replica_fenced'];
const onEveryHeavyCall: readonly ErrorCode[] = ['service_busy'];
const onEveryBoundedWrite: readonly ErrorCode[] = ['quota_exceeded'];
/** Errors of requests that reach no operation. */
const elsewhere: readonly ErrorCode[] = ['not_found', 'method_not_allowed', 'server_stopping'];

/** Errors of all operations with a tag, although no case of some leads to them today. */
const ofLearning = ['record_not_found', 'idempotency_conflict', 'request_too_large'] as const;
const onTag: Readonly<Record<string, readonly ErrorCode[]>> = {
  Learning: ofLearning,
  Tools: ofLearning,
  Experiences: ofLearning,
};

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed or exceeds a limit.',
  401: 'The proof is missing, malformed, unknown, expired or revoked, or lacks the nonce of this server.',
  403: 'The proof is valid, but its authority does not cover the request.',
  404: 'The resource does not exist in the authorized scope.',
  409: 'The request conflicts with what is stored.',
  410: 'What the request needs is no longer kept, or its key was destroyed.',
  413: 'The body is larger than this operation accepts.',
  429: 'The client has no requests left (checked before anything else), a name is locked, or too many calls wait.',
  500: 'The service failed, or stored data does not verify.',
  503: 'Too much of this work is already queued, or something that it needs is away for now.',
};

/** Schemas of the error bodies that have more than code and message, by code. */
const shapes: { readonly [C in ErrorCode]?: string } = {
  rate_limit_exceeded: 'RateLimited',
  use_dpop_nonce: 'UseDpopNonce',
  invalid_login: 'LoginFailed',
  account_locked: 'AccountLocked',
  lockout_not_found: 'LockoutNotFound',
  history_gone: 'HistoryGone',
};

/** A code on the wire, with the schema of its body if that is not the plain one. */
interface WireError {
  readonly code: string;
  /** The error that the example of the code shows. */
  readonly shown: ErrorCode;
  readonly shape: string | undefined;
}

/** The errors of an operation by status, in the shape of its surface. */
export interface ErrorsByStatus {
  readonly surface: Surface;
  readonly codes: ReadonlyMap<number, readonly WireError[]>;
}

/** The errors of a call that needs no proof. */
export const errorsOfPublicCall: ErrorsByStatus = {
  surface: 'platform',
  codes: byStatus(onEveryCall),
};

/** Returns the errors of an operation. */
export function errorsOf(name: OperationName, operation: Operation): ErrorsByStatus {
  const codes = byStatus([
    ...operation.errors,
    ...onEveryCall,
    ...(operation.kind === 'public' ? [] : onEveryProof),
    ...(name === 'getHealth' ? [] : onEveryUseOfTheStore),
    ...(name === 'getHealth' || operation.effect === 'read' ? [] : onEveryChange),
    ...('isHeavy' in operation && operation.isHeavy ? onEveryHeavyCall : []),
    ...(mayExceedQuota(operation) ? onEveryBoundedWrite : []),
    ...(onTag[operation.tag] ?? []),
  ]);
  return { surface: routes[name].surface, codes };
}

function byStatus(codes: readonly ErrorCode[]): ErrorsByStatus['codes'] {
  const found = new Map<number, readonly WireError[]>();
  for (const code of codes) {
    const { kind, wireCode } = new AgentkeepError(code);
    const status = statusOfKind[kind];
    const others = (found.get(status) ?? []).filter((known) => known.code !== wireCode);
    const shown = (found.get(status) ?? []).find((known) => known.code === wireCode)?.shown;
    const isPlain = shown === undefined || code === wireCode;
    const all = [...others, { code: wireCode, shown: isPlain ? code : shown, shape: shapes[code] }];
    found.set(
      status,
      all.sort((one, other) => (one.code < other.code ? -1 : 1)),
    );
  }
  return found;
}

/** Returns references to the error responses of an operation, by status. */
export function errorResponses(errors: ErrorsByStatus): Record<string, Reference> {
  return Object.fromEntries(
    [...errors.codes].map(([status, codes]) => {
      const $ref = `#/components/responses/${responseName(errors.surface, status, codes)}`;
      return [String(status), { $ref }] as const;
    }),
  );
}

/** Returns the error responses of all operations, as components. */
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
function responseName(surface: Surface, status: number, errors: readonly WireError[]): string {
  const words = errors
    .map(({ code }) => code)
    .join('_or_')
    .split('_');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const isShared = errors.every(({ shape }) => shape === 'RateLimited');
  return `${surface === 'account' && !isShared ? 'Flat' : ''}${name}${String(status)}`;
}

/** Returns the name of an error body's schema; rate limit refusals share one on both surfaces. */
function schemaOf(surface: Surface, shape: string | undefined): string {
  if (shape === undefined) return surface === 'account' ? 'FlatError' : 'Error';
  return surface === 'account' || shape === 'RateLimited' ? shape : `${shape}Error`;
}

function errorResponse(
  surface: Surface,
  status: number,
  errors: readonly WireError[],
): ResponseObject {
  const meaning = meanings[status];
  if (meaning === undefined) throw new Error(`Status ${status} has no description here.`);
  const names = [...new Set(errors.map(({ shape }) => schemaOf(surface, shape)))];
  const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [only] = refs;
  return {
    description: `${meaning} Code: ${errors.map(({ code }) => `\`${code}\``).join(' or ')}.`,
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: refs.length === 1 && only !== undefined ? only : { anyOf: refs },
        examples: Object.fromEntries(
          errors.map(({ code, shown }) => [code, { value: errorExample(surface, shown) }]),
        ),
      },
    },
  };
}

/** Returns the names of the schemas of error bodies. */
export function bodySchemas(all: readonly ErrorsByStatus[]): ReadonlySet<string> {
  return new Set(
    all.flatMap(({ surface, codes }) =>
      [...codes.values()].flat().map(({ shape }) => schemaOf(surface, shape)),
    ),
  );
}

/** Returns the codes that use the plain error body of a surface. */
export function plainCodes(all: readonly ErrorsByStatus[], surface: Surface): string[] {
  const shaped = all.filter((errors) => errors.surface === surface);
  const codes = [byStatus(elsewhere), ...shaped.map((errors) => errors.codes)].flatMap((each) =>
    [...each.values()].flat(),
  );
  const plain = codes.filter(({ shape }) => shape === undefined).map(({ code }) => code);
  return [...new Set(plain)].sort();
}
