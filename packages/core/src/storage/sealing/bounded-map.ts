/** A map by text that forgets the entry that was set first once it is full. */

/** A bounded map. */
export class BoundedMap<V> {
  readonly #max: number;
  readonly #entries = new Map<string, V>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the value of a name, or `undefined`. */
  get(name: string): V | undefined {
    return this.#entries.get(name);
  }

  /** Sets the value of a name, and forgets the oldest beyond the bound. */
  set(name: string, value: V): void {
    this.#entries.delete(name);
    this.#entries.set(name, value);
    if (this.#entries.size <= this.#max) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  /** Forgets a name. */
  delete(name: string): void {
    this.#entries.delete(name);
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
  }
}
