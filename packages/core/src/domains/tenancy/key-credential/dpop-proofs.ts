/**
 * Checks proofs of keys (RFC 9449): their form, their bounds, and that each counts once.
 *
 * The nonces that proofs need, and the ids of the proofs that were used with each. A nonce belongs
 * to one credential and to this process. So a proof that was used here is refused by its id, and
 * at another server of the same store, or after a restart, by its nonce.
 *
 * Everything is bounded. Only proofs of live credentials are remembered, and what one credential
 * sends displaces only what it sent itself, until the table is full of credentials.
 */
import { type KeyObject, verify } from 'node:crypto';
import * as v from 'valibot';
import { BoundedMap } from '../../../contract/bounded-map.js';
import { sha256Text } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { InvalidJsonError, parseJson } from '../../../contract/schema/json.js';
import {
  importPublicKey,
  PublicKey,
  type SentKeyProof,
  thumbprintOf,
} from '../../../kernel/access/key-thumbprint.js';
import { parsedUrl } from '../../../contract/texts/parsed-url.js';
import type { Entropy } from '../../../kernel/ports/entropy.js';
import type { KeyProofs, ReadKeyProof } from '../../../kernel/ports/key-proofs.js';

/** Whether a proof is new; `stale` if its nonce doesn't count. */
type Admission = 'new' | 'replayed' | 'stale';

/** The nonce of a credential. */
interface Nonce {
  readonly text: string;
  readonly madeMs: number;
  /** Ids of the proofs that were used with it. */
  readonly ids: Set<string>;
}

/** A bounded memory of proofs. */
export class ProofMemory {
  readonly #newText: () => string;
  readonly #nonces: BoundedMap<string, Nonce>;

  /** `newText` returns an unpredictable nonce. */
  constructor(newText: () => string, credentialsMax = KEY_PROOF_CREDENTIALS_MAX) {
    this.#newText = newText;
    this.#nonces = new BoundedMap({ max: credentialsMax });
  }

  /** Number of credentials of which proofs are remembered. */
  get size(): number {
    return this.#nonces.size;
  }

  /** Returns the nonce that the next proof of a credential needs. */
  nonceOf(credentialId: string, nowMs: number): string {
    return this.#current(credentialId, nowMs).text;
  }

  /** Takes a proof whose signature is that of the credential's key. */
  admit(
    credentialId: string,
    { nonce, id }: { readonly nonce: string | undefined; readonly id: string },
    nowMs: number,
  ): Admission {
    const { text, ids } = this.#current(credentialId, nowMs);
    if (nonce !== text) return 'stale';
    if (ids.has(id)) return 'replayed';
    ids.add(id);
    return 'new';
  }

  #current(credentialId: string, nowMs: number): Nonce {
    const known = this.#nonces.get(credentialId);
    const counts =
      known !== undefined &&
      known.ids.size < KEY_PROOFS_OF_NONCE_MAX &&
      // The clock may have stepped back.
      Math.abs(nowMs - known.madeMs) < KEY_NONCE_MS;
    const nonce = counts ? known : { text: this.#newText(), madeMs: nowMs, ids: new Set<string>() };
    // Set at each use, so that the one that was used longest ago goes first.
    this.#nonces.set(credentialId, nonce);
    return nonce;
  }
}

const NONCE_BYTES = 16;

/** Characters of the digest of an id that are remembered: 132 bits. */
const ID_CHARS = 22;

/** Checks proofs for one process. */
export class DpopProofs implements KeyProofs {
  readonly #memory: ProofMemory;

  constructor(entropy: Entropy) {
    this.#memory = new ProofMemory(() =>
      Buffer.from(entropy.bytes(NONCE_BYTES)).toString('base64url'),
    );
  }

  /** Reads a proof; `undefined` if its form, its request, its token or its time is wrong. */
  read(sent: SentKeyProof, nowMs: number): ReadKeyProof | undefined {
    const stated = readProofText(sent, nowMs);
    if (stated === undefined) return undefined;
    return {
      thumbprint: stated.thumbprint,
      accept: (credentialId, acceptedMs) =>
        isSigned(sent.proof, stated) && this.#isNew(stated, credentialId, acceptedMs),
    };
  }

  #isNew({ jti, nonce }: StatedProof, credentialId: string, nowMs: number): boolean {
    const id = sha256Text(jti, 'base64url').slice(0, ID_CHARS);
    const admission = this.#memory.admit(credentialId, { nonce, id }, nowMs);
    if (admission !== 'stale') return admission === 'new';
    const details = { dpop_nonce: this.#memory.nonceOf(credentialId, nowMs) };
    throw new AgentkeepError('use_dpop_nonce', { details });
  }
}

/** A signature of ES256 has both numbers in 32 bytes each (RFC 7518, section 3.4). */
function isSigned(proof: string, { key }: StatedProof): boolean {
  const end = proof.lastIndexOf('.');
  const signed = Buffer.from(proof.slice(0, end), 'ascii');
  const signature = Buffer.from(proof.slice(end + 1), 'base64url');
  return key.asymmetricKeyType === 'ec'
    ? verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
    : verify(null, signed, key, signature);
}

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
function readProofText(sent: SentKeyProof, nowMs: number): StatedProof | undefined {
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
  const stated = parsedUrl(htu);
  if (stated === undefined || !/^https?:$/.test(stated.protocol)) return false;
  return origins.some((origin) => {
    const received = parsedUrl(origin + path);
    return received?.origin === stated.origin && received.pathname === stated.pathname;
  });
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
const KEY_PROOF_CREDENTIALS_MAX = 16_384;
