/**
 * Reads the proof of a request (docs/contract/conventions.md#proofs): one `Authorization: Bearer`
 * or one `X-API-Key` header, never both, never repeated, and from nowhere else.
 */
import type { AttemptedProof, CallerProof } from '@agentkeep/core/operator';

const OPAQUE_TOKEN_CHARS_MAX = 128;
const JWT_CHARS_MAX = 8_192;
// The scheme, one space, and a token of visible ASCII. A repeated header arrives joined by a comma
// and a space, so it never has this form.
const BEARER = /^bearer ([\x21-\x7e]+)$/i;
const API_KEY = /^[\x21-\x7e]+$/;

/** The headers that a proof is read from. */
export interface ProofHeaders {
  readonly authorization: string | null;
  readonly apiKey: string | null;
}

/** Returns the proof of a request, or `undefined` if it has none that can be read. */
export function readProof({ authorization, apiKey }: ProofHeaders): CallerProof | undefined {
  if (authorization !== null) return apiKey === null ? bearerProof(authorization) : undefined;
  if (apiKey === null || apiKey.length > OPAQUE_TOKEN_CHARS_MAX) return undefined;
  return API_KEY.test(apiKey) ? { kind: 'api_key', key: apiKey } : undefined;
}

/** Returns the kinds of proof that a request attempts, readable or not. */
export function attemptedProofs({ authorization, apiKey }: ProofHeaders): AttemptedProof[] {
  return [
    ...(isBearer(authorization) ? (['bearer'] as const) : []),
    ...(apiKey === null ? [] : (['api_key'] as const)),
  ];
}

/** Returns the challenge of a 401 (RFC 6750, section 3). Only a Bearer token gets an error code. */
export function challenge({ authorization }: ProofHeaders): string {
  return isBearer(authorization) ? 'Bearer error="invalid_token"' : 'Bearer';
}

function isBearer(authorization: string | null): boolean {
  return authorization !== null && /^bearer\b/i.test(authorization);
}

function bearerProof(authorization: string): CallerProof | undefined {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) return undefined;
  const isJwt = token.includes('.') && token.split('.').length === 3;
  const charsMax = isJwt ? JWT_CHARS_MAX : OPAQUE_TOKEN_CHARS_MAX;
  return token.length <= charsMax ? { kind: 'bearer', token } : undefined;
}
