/**
 * Reads the proof of a request (docs/contract/conventions.md#proofs): one `Authorization` or
 * one `X-API-Key` header, never both, never repeated, and from nowhere else.
 */
import type { AgentkeepError } from '@agentkeep/core';
import type { AttemptedProof, CallerProof } from '@agentkeep/core/operator';

const OPAQUE_TOKEN_CHARS_MAX = 128;
const JWT_CHARS_MAX = 8_192;
// The scheme, one space, and a token of visible ASCII. A repeated header arrives joined by a comma
// and a space, so it never has this form.
const BEARER = /^bearer ([\x21-\x7e]+)$/i;
const API_KEY = /^[\x21-\x7e]+$/;

/** A JWT in compact form. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const DPOP = /^dpop ([\x21-\x7e]+)$/i;

/** The headers that a proof is read from. */
export interface ProofHeaders {
  readonly authorization: string | null;
  readonly apiKey: string | null;
  /** The proof of a key (RFC 9449). */
  readonly dpop: string | null;
}

/** The request that a proof of a key is for. */
export interface ProvedRequest {
  readonly method: string;
  /** The origins that it may have been sent to. */
  readonly origins: readonly string[];
  readonly sentPath: string;
}

/** Returns the proof of a request, or `undefined` if it has none that can be read. */
export function readProof(
  { authorization, apiKey, dpop }: ProofHeaders,
  request: ProvedRequest,
): CallerProof | undefined {
  if (authorization !== null) {
    if (apiKey !== null) return undefined;
    return bearerProof(authorization) ?? keyProof(authorization, dpop, request);
  }
  if (apiKey === null || apiKey.length > OPAQUE_TOKEN_CHARS_MAX) return undefined;
  return API_KEY.test(apiKey) ? { kind: 'api_key', key: apiKey } : undefined;
}

/** Returns the kinds of proof that a request attempts, readable or not. */
export function attemptedProofs({ authorization, apiKey }: ProofHeaders): AttemptedProof[] {
  return [
    ...(isBearer(authorization) || isDpop(authorization) ? (['bearer'] as const) : []),
    ...(apiKey === null ? [] : (['api_key'] as const)),
  ];
}

/**
 * Returns the challenge of a 401 (RFC 6750, section 3). Only a Bearer token gets an error code.
 * `metadata` is the address where programs find out how to get a token (RFC 9728, section 5.1).
 */
export function challenge({ authorization }: ProofHeaders, metadata?: string): string {
  if (isDpop(authorization)) return 'DPoP error="invalid_token", algs="ES256 EdDSA"';
  const members = [
    ...(isBearer(authorization) ? ['error="invalid_token"'] : []),
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
  ];
  return members.length === 0 ? 'Bearer' : `Bearer ${members.join(', ')}`;
}

function isBearer(authorization: string | null): boolean {
  return authorization !== null && /^bearer\b/i.test(authorization);
}

function isDpop(authorization: string | null): boolean {
  return authorization !== null && /^dpop\b/i.test(authorization);
}

function bearerProof(authorization: string): CallerProof | undefined {
  return tokenProof(BEARER.exec(authorization)?.[1]);
}

/** A repeated header `DPoP` arrives joined by a comma, so it is no JWT. */
function keyProof(
  authorization: string,
  dpop: string | null,
  { method, origins, sentPath }: ProvedRequest,
): CallerProof | undefined {
  const sent = tokenProof(DPOP.exec(authorization)?.[1]);
  if (sent === undefined || dpop === null || !JWT.test(dpop)) return undefined;
  return { kind: 'key', token: sent.token, proof: dpop, method, origins, path: sentPath };
}

function tokenProof(token: string | undefined): (CallerProof & { kind: 'bearer' }) | undefined {
  if (token === undefined) return undefined;
  const isJwt = token.includes('.') && token.split('.').length === 3;
  const charsMax = isJwt ? JWT_CHARS_MAX : OPAQUE_TOKEN_CHARS_MAX;
  return token.length <= charsMax ? { kind: 'bearer', token } : undefined;
}

/** Returns the headers that give a client the nonce for its next proof (RFC 9449, section 9). */
export function nonceHeaders({
  dpop_nonce: nonce,
}: AgentkeepError['details']): Record<string, string> {
  return {
    'WWW-Authenticate': 'DPoP error="use_dpop_nonce", algs="ES256 EdDSA"',
    'DPoP-Nonce': String(nonce),
  };
}
