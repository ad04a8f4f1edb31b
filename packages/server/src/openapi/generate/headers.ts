/**
 * The response headers of the contract, and which answers carry them.
 * @module
 */
import type { HeaderObject, Reference } from '../openapi-document.js';

const count = (maximum: number) => ({ type: 'integer', minimum: 0, maximum });
const uint32Max = 4_294_967_295;

const onEvery: Readonly<Record<string, HeaderObject>> = {
  'Cache-Control': {
    description: 'Answers are never cached.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  'X-Content-Type-Options': {
    description: 'The body is what its media type says.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests that the window of this client allows.',
    required: true,
    schema: count(uint32Max),
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left.',
    required: true,
    schema: count(uint32Max),
  },
  'X-RateLimit-Reset': {
    description: 'Seconds, rounded up, until all requests are available again.',
    required: true,
    schema: count(uint32Max),
  },
  'X-Request-Id': {
    description: 'The id that the caller sent, or one made for this request.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
};

const onStatus: Readonly<Record<number, Readonly<Record<string, HeaderObject>>>> = {
  401: {
    'WWW-Authenticate': {
      description: 'The scheme to prove an identity with, and what was wrong with the proof.',
      required: true,
      schema: { type: 'string', pattern: '^Bearer' },
    },
  },
  429: {
    'Retry-After': {
      description: 'Seconds until a request may succeed; on refusals of a rate limit alone.',
      required: false,
      schema: count(uint32Max),
    },
  },
};

/** All headers as components. */
export const headerComponents: Readonly<Record<string, HeaderObject>> = Object.fromEntries(
  [onEvery, ...Object.values(onStatus)].flatMap((headers) => Object.entries(headers)),
);

/** The headers of an answer with some status. */
export function headersOf(status: number): Record<string, Reference> {
  const names = [...Object.keys(onEvery), ...Object.keys(onStatus[status] ?? {})];
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}
