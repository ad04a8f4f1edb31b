/**
 * Which keys other servers write as well: a guess at such a key is late more often than not, so
 * whoever needs it takes locks first, until the guesses were right for a while.
 * @module
 */

/** Commits for which a key counts as contended after its guess was late. */
const COMMITS = 16;

/** Keys that are remembered. */
const KEYS_MAX = 10_000;

/** Remembers contended keys of one store. */
export class Contention {
  /** Commits that are left of each key, by its text. */
  readonly #left = new Map<string, number>();

  /** Notes that somebody else changed a key between a guess and its commit. */
  note(text: string): void {
    this.#left.delete(text);
    this.#left.set(text, COMMITS);
    const [oldest] = this.#left.keys();
    if (this.#left.size > KEYS_MAX && oldest !== undefined) this.#left.delete(oldest);
  }

  /** Whether one of some keys is contended; each call counts as a commit of those that are. */
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
