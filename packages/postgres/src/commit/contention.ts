/**
 * Tracks keys that other servers write as well. Guesses for such keys are usually stale, so their
 * commits take locks first, for a number of commits after each stale guess.
 */

/** Number of commits for which a key counts as contended after a stale guess. */
const COMMITS = 16;

/** Most keys that are tracked. */
const KEYS_MAX = 10_000;

/** The contended keys of one store. */
export class Contention {
  /** Remaining commits by key text. */
  readonly #left = new Map<string, number>();

  /** Records that another server changed a key between a guess and its commit. */
  note(text: string): void {
    this.#left.delete(text);
    this.#left.set(text, COMMITS);
    const [oldest] = this.#left.keys();
    if (this.#left.size > KEYS_MAX && oldest !== undefined) this.#left.delete(oldest);
  }

  /** Returns whether one of the keys is contended. Counts as a commit of those that are. */
  isAmong(texts: Iterable<string>): boolean {
    if (this.#left.size === 0) return false;
    let isFound = false;
    for (const text of texts) {
      const left = this.#left.get(text);
      if (left === undefined) continue;
      isFound = true;
      if (left > 1) this.#left.set(text, left - 1);
      else this.#left.delete(text);
    }
    return isFound;
  }
}
