/**
 * Checks proofs of keys (RFC 9449), each of which counts once.
 *
 * The nonces that proofs need, and the ids of the proofs that were used with each. A nonce belongs
 * to one credential and to this process. So a proof that was used here is refused by its id, and
 * at another server of the same store, or after a restart, by its nonce.
 *
 * Everything is bounded. Only proofs of live credentials are remembered, and what one credential
 * sends displaces only what it sent itself, until the table is full of credentials.
 */
import { verify } from 'node:crypto';
import { sha256Text } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { SentKeyProof } from '../../../kernel/access/key-thumbprint.js';
import type { Entropy } from '../../../kernel/ports/entropy.js';
import type { KeyProofs, ReadKeyProof } from '../../../kernel/ports/key-proofs.js';
import {
  KEY_NONCE_MS,
  KEY_PROOF_CREDENTIALS_MAX,
  KEY_PROOFS_OF_NONCE_MAX,
  readProofText,
  type StatedProof,
} from './proof-form.js';

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
  readonly #credentialsMax: number;
  readonly #nonces = new Map<string, Nonce>();

  /** `newText` returns an unpredictable nonce. */
  constructor(newText: () => string, credentialsMax = KEY_PROOF_CREDENTIALS_MAX) {
    this.#newText = newText;
    this.#credentialsMax = credentialsMax;
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
    // Those that were used longest ago come first.
    this.#nonces.delete(credentialId);
    this.#nonces.set(credentialId, nonce);
    const [oldest] = this.#nonces.keys();
    if (this.#nonces.size > this.#credentialsMax && oldest !== undefined) {
      this.#nonces.delete(oldest);
    }
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
