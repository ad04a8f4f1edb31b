/** The form of proofs of keys, and their bounds. */
import type { KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { sha256Text } from '../../../contract/digest.js';
import { InvalidJsonError, parseJson } from '../../../contract/schema/json.js';
import {
  importPublicKey,
  PublicKey,
  type SentKeyProof,
  thumbprintOf,
} from '../../../kernel/access/key-thumbprint.js';

const JTI_CHARS_MAX = 256;

const header = v.strictObject({
  typ: v.literal('dpop+jwt'),
  alg: v.picklist(['ES256', 'EdDSA', 'Ed25519']),
  jwk: PublicKey,
});

// Other claims are allowed and ignored, as the standard says.
const claims = v.object({
  htm: v.string(),
  htu: v.string(),
  iat: v.pipe(v.number(), v.finite()),
  jti: v.pipe(v.string(), v.nonEmpty(), v.maxLength(JTI_CHARS_MAX)),
  ath: v.string(),
  nonce: v.optional(v.pipe(v.string(), v.maxLength(JTI_CHARS_MAX))),
});

/** What a proof states. */
export interface StatedProof {
  readonly key: KeyObject;
  readonly thumbprint: string;
  readonly jti: string;
  readonly nonce: string | undefined;
}

/** Reads a proof. Returns `undefined` if its form, request, token or time is wrong. */
export function readProofText(sent: SentKeyProof, nowMs: number): StatedProof | undefined {
  if (sent.proof.length > KEY_PROOF_CHARS_MAX) return undefined;
  const [head, body, signature, ...more] = sent.proof.split('.');
  if (head === undefined || body === undefined || signature === undefined) return undefined;
  if (more.length > 0) return undefined;
  const stated = v.safeParse(header, parsed(head));
  const claimed = v.safeParse(claims, parsed(body));
  if (!stated.success || !claimed.success) return undefined;
  const { alg, jwk } = stated.output;
  if ((alg === 'ES256') !== (jwk.kty === 'EC')) return undefined;
  const { htm, htu, iat, ath, jti, nonce } = claimed.output;
  const isOfRequest = htm === sent.method && isTarget(htu, sent);
  const isInTime = Math.abs(nowMs - iat * 1_000) <= KEY_PROOF_SKEW_MS;
  if (!isOfRequest || !isInTime || ath !== sha256Text(sent.token, 'base64url')) return undefined;
  const key = importPublicKey(jwk);
  return key && { key, thumbprint: thumbprintOf(jwk), jti, nonce };
}

/** Compares an address with the request: origin and path, without query and fragment. */
function isTarget(htu: string, { origins, path }: SentKeyProof): boolean {
  const stated = urlOf(htu);
  if (stated === undefined || !/^https?:$/.test(stated.protocol)) return false;
  return origins.some((origin) => {
    const received = urlOf(origin + path);
    return received?.origin === stated.origin && received.pathname === stated.pathname;
  });
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function parsed(part: string): unknown {
  try {
    const { value, withDuplicatesMarked } = parseJson(Buffer.from(part, 'base64url'));
    return withDuplicatesMarked === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

/** Characters of a proof. */
const KEY_PROOF_CHARS_MAX = 4_096;
/** Milliseconds that the time of a proof may differ from that of the server. */
const KEY_PROOF_SKEW_MS = 300_000;
/** Milliseconds that a nonce counts. */
export const KEY_NONCE_MS = 300_000;
/** Most proofs with one nonce. */
export const KEY_PROOFS_OF_NONCE_MAX = 4_096;
/** Most credentials of which a server remembers proofs. */
export const KEY_PROOF_CREDENTIALS_MAX = 16_384;
