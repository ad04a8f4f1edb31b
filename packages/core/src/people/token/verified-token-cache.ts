/**
 * Remembers what tokens state whose signatures were verified, because that is the slow part. It
 * answers nothing that can change: session, revocation and account are read from the store each
 * time.
 * @module
 */
import { sha256Text } from '../../contract/digest.js';
import { VERIFIED_TOKENS_MAX } from '../../contract/limits.js';
import type { VerifiedToken } from '../../runtime/ports/tokens.js';

/** A bounded memory of verified tokens, by their SHA-256; it holds no token. */
export class VerifiedTokenCache {
  readonly #max: number;
  readonly #entries = new Map<string, VerifiedToken>();

  /** Remembers so many tokens; beyond that, the oldest ones go. */
  constructor(max = VERIFIED_TOKENS_MAX) {
    this.#max = max;
  }

  /** How many tokens are remembered. */
  get size(): number {
    return this.#entries.size;
  }

  /** What a remembered token states, until it expires. */
  find(token: string, nowMs: number): VerifiedToken | undefined {
    const name = nameOf(token);
    const known = this.#entries.get(name);
    if (known === undefined || nowMs < known.expiresAtSecs * 1_000) return known;
    this.#entries.delete(name);
    return undefined;
  }

  /** Remembers a token that was verified, or that we signed ourselves. */
  remember(token: string, stated: VerifiedToken): void {
    this.#entries.set(nameOf(token), stated);
    if (this.#entries.size <= this.#max) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}

function nameOf(token: string): string {
  return sha256Text(token, 'base64url');
}
