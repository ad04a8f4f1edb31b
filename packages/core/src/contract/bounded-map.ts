/** A map that forgets what was set first once it is full. */

/** How much a bounded map holds, and what it tells. */
interface MapBound<K, V> {
  /** Most that the entries weigh in all. */
  readonly max: number;
  /** Returns what an entry weighs, the same each time. Default: 1, so that entries are counted. */
  readonly weigh?: (value: V, key: K) => number;
  /** Called with each entry that made room for others. */
  readonly onDropped?: (key: K, value: V) => void;
}

/**
 * A map whose entries weigh up to a bound in all. Once they weigh more, those that were set the
 * longest time ago are dropped; an entry that is too heavy alone is dropped at once.
 */
export class BoundedMap<K, V> {
  readonly #bound: MapBound<K, V>;
  readonly #entries = new Map<K, V>();
  #weight = 0;

  constructor(bound: MapBound<K, V>) {
    this.#bound = bound;
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** What the entries weigh in all. */
  get weight(): number {
    return this.#weight;
  }

  /** Returns the value of a key, or `undefined`. */
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Sets the value of a key, which becomes the last one that goes. */
  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value, key);
    if (this.#weight <= this.#bound.max) return;
    for (const [oldest, old] of this.#entries) {
      this.delete(oldest);
      this.#bound.onDropped?.(oldest, old);
      if (this.#weight <= this.#bound.max) return;
    }
  }

  /** Forgets a key. */
  delete(key: K): void {
    const known = this.#entries.get(key);
    if (known === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(known, key);
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #weigh(value: V, key: K): number {
    return this.#bound.weigh?.(value, key) ?? 1;
  }
}
