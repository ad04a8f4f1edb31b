/**
 * Caches the claims of verified tokens, because verifying a signature is slow. Nothing that can
 * change is cached: session, revocation and account are read from the store on each call.
 */
import { sha256Text } from '../../../contract/digest.js';
import { VERIFIED_TOKENS_MAX } from '../../../contract/limits.js';
import type { VerifiedDelegation, VerifiedToken } from '../../../kernel/ports/tokens.js';

/** A bounded cache of verified claims by the SHA-256 of the token. It holds no token. */
export class VerifiedTokenCache {
  readonly #max: number;
  readonly #entries = new Map<string, VerifiedToken | VerifiedDelegation>();

  /** Holds at most `max` tokens; the oldest go first. */
  constructor(max = VERIFIED_TOKENS_MAX) {
    this.#max = max;
  }

  /** Number of cached tokens. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the claims of a cached token that hasn't expired. */
  find(token: string, nowMs: number): VerifiedToken | VerifiedDelegation | undefined {
    const name = nameOf(token);
    const known = this.#entries.get(name);
    if (known === undefined || nowMs < known.expiresAtSecs * 1_000) return known;
    this.#entries.delete(name);
    return undefined;
  }

  /** Adds a token that was verified or that we signed. */
  remember(token: string, stated: VerifiedToken | VerifiedDelegation): void {
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
