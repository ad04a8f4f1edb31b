/** Thumbprints of keys (RFC 7638), and proofs as they are sent. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { sha256Text } from '../../contract/digest.js';
import { closed } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';

/** 32 bytes in canonical base64url. */
function coordinate() {
  const pattern = '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$';
  return v.pipe(
    v.string(),
    v.regex(new RegExp(pattern), '32 bytes in base64url'),
    describedAs({ type: 'string', pattern }),
  );
}

/** A public key as a JWK (RFC 7517): Ed25519 or P-256, with the members of its kind only. */
export const PublicKey = v.pipe(
  v.variant('kty', [
    closed({ kty: v.literal('OKP'), crv: v.literal('Ed25519'), x: coordinate() }),
    closed({
      kty: v.literal('EC'),
      crv: v.literal('P-256'),
      x: coordinate(),
      y: coordinate(),
    }),
  ]),
  named('PublicKey'),
);
export type PublicKey = v.InferOutput<typeof PublicKey>;

/** Begins the verifier of a credential that has a key instead of a secret. */
const KEY_VERIFIER = 'jkt:';

/** Returns the key, or `undefined` if its numbers are no point of its curve. */
export function importPublicKey(key: PublicKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: { ...key }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Returns the thumbprint of a key (RFC 7638): SHA-256 of its members in order of their names. */
export function thumbprintOf(key: PublicKey): string {
  const { kty, crv, x } = key;
  const members = key.kty === 'EC' ? { crv, kty, x, y: key.y } : { crv, kty, x };
  return sha256Text(JSON.stringify(members), 'base64url');
}

/** Returns what is stored of a key instead of the digest of a secret. */
export function keyVerifier(thumbprint: string): string {
  return KEY_VERIFIER + thumbprint;
}

/** Returns the thumbprint of a verifier, or `undefined` if it is that of a secret. */
export function thumbprintIn(verifier: string): string | undefined {
  return verifier.startsWith(KEY_VERIFIER) ? verifier.slice(KEY_VERIFIER.length) : undefined;
}

/**
 * The text that names a credential with a key: `akk1_` and its id. It is no secret: each call
 * proves the key beside it (docs/contract/key-credentials.md#kcr-5).
 */
const FORM = /^akk1_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Returns the token of a credential. */
export function keyTokenOf(credentialId: string): string {
  return `akk1_${credentialId.replaceAll('-', '')}`;
}

/** Returns the id of the credential that a token names; `undefined` for any other text. */
export function credentialOfKeyToken(token: string): string | undefined {
  const parts = FORM.exec(token);
  return parts === null ? undefined : parts.slice(1).join('-');
}

/** A proof that a caller has a key (RFC 9449, DPoP), and the request that it was sent with. */
export interface SentKeyProof {
  /** The JWT of the header `DPoP`. */
  readonly proof: string;
  /** The token of the header `Authorization`. */
  readonly token: string;
  readonly method: string;
  /** The origins that the request may have been sent to. */
  readonly origins: readonly string[];
  /** The path as it was sent, without the query. */
  readonly path: string;
}
