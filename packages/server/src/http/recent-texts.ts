/** Remembers the results of recent texts. */

/** Texts of one generation. */
const TEXTS_MAX = 1_024;

/**
 * A bounded memo of a function of texts. Two generations bound it: when the young one is full,
 * entries that were not used since the last time are forgotten.
 */
export class RecentTexts<V> {
  readonly #textsMax: number;
  #young = new Map<string, V>();
  #old: ReadonlyMap<string, V> = new Map();

  constructor(textsMax = TEXTS_MAX) {
    this.#textsMax = textsMax;
  }

  /** Number of remembered texts; those in both generations count twice. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Returns the remembered result of a text. Never change it. */
  find(text: string): V | undefined {
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const old = this.#old.get(text);
    if (old !== undefined) this.remember(text, old);
    return old;
  }

  /** Remembers the result of a text. */
  remember(text: string, value: V): void {
    if (this.#young.size >= this.#textsMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, value);
  }
}
