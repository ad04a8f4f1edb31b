/** The response headers of the contract, and the responses that carry them. */
import type {
  HeaderObject,
  Reference,
} from '../../packages/server/src/openapi/openapi-document.ts';

const count = (maximum: number) => ({ type: 'integer', minimum: 0, maximum });
const uint32Max = 4_294_967_295;

const onEvery: Readonly<Record<string, HeaderObject>> = {
  'Cache-Control': {
    description: 'Responses are never cached.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  'X-Content-Type-Options': {
    description: 'The media type of the body is authoritative.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed to this client in the window.',
    required: true,
    schema: count(uint32Max),
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left.',
    required: true,
    schema: count(uint32Max),
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until all requests are available again, rounded up.',
    required: true,
    schema: count(uint32Max),
  },
  'X-Request-Id': {
    description: 'The id that the caller sent, or a new one.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
};

const retryAfter: HeaderObject = {
  description:
    'Seconds until a request may succeed; on rate limit refusals, when busy, and while something is away.',
  required: false,
  schema: count(uint32Max),
};

const onStatus: Readonly<Record<number, Readonly<Record<string, HeaderObject>>>> = {
  401: {
    'WWW-Authenticate': {
      description: 'The authentication scheme, and what was wrong with the proof.',
      required: true,
      schema: { type: 'string', pattern: '^(Bearer|DPoP)' },
    },
    'DPoP-Nonce': {
      description: 'The nonce of the next proof of a key; with `use_dpop_nonce`.',
      required: false,
      schema: { type: 'string', minLength: 1 },
    },
  },
  429: { 'Retry-After': retryAfter },
  503: { 'Retry-After': retryAfter },
};

/** All headers as components. */
export const headerComponents: Readonly<Record<string, HeaderObject>> = Object.fromEntries(
  [onEvery, ...Object.values(onStatus)].flatMap((headers) => Object.entries(headers)),
);

/** Returns the headers of a response with this status. */
export function headersOf(status: number): Record<string, Reference> {
  const names = [...Object.keys(onEvery), ...Object.keys(onStatus[status] ?? {})];
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}
