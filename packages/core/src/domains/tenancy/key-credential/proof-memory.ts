/**
 * The nonces that proofs need, and the ids of the proofs that were used with each. A nonce belongs
 * to one credential and to this process. So a proof that was used here is refused by its id, and at
 * another server of the same store, or after a restart, by its nonce.
 *
 * Everything is bounded. Only proofs of live credentials are remembered, and what one credential
 * sends displaces only what it sent itself, until the table is full of credentials.
 */
import {
  KEY_NONCE_MS,
  KEY_PROOF_CREDENTIALS_MAX,
  KEY_PROOFS_OF_NONCE_MAX,
} from './proof-limits.js';

/** Whether a proof is new; `stale` if its nonce doesn't count. */
export type Admission = 'new' | 'replayed' | 'stale';

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
