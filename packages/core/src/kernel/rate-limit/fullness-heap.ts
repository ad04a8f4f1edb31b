/** A binary heap whose top is the fullest bucket: the one that is full first. */

/** A heap of items by the time at which they are full, earliest first. */
export class FullnessHeap<T> {
  readonly #items: T[] = [];
  // Parallel to the items, so that moves compare numbers that are adjacent in memory.
  readonly #ranksMs: number[] = [];

  /** The fullest item. */
  get top(): T | undefined {
    return this.#items[0];
  }

  /** Time at which the top item is full, as far as the heap knows; infinite when empty. */
  get topRankMs(): number {
    return this.#ranksMs[0] ?? Infinity;
  }

  /** Adds an item that is full at `rankMs`, in milliseconds. */
  push(item: T, rankMs: number): void {
    let at = this.#items.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#rankAt(above) <= rankMs) break;
      this.#move(above, at);
      at = above;
    }
    this.#items[at] = item;
    this.#ranksMs[at] = rankMs;
  }

  /** Removes the fullest item. */
  pop(): void {
    const item = this.#items.pop();
    const rankMs = this.#ranksMs.pop();
    if (item === undefined || rankMs === undefined || this.#items.length === 0) return;
    this.#sink(item, rankMs);
  }

  /** Gives the top item a later rank and restores the order. */
  demote(rankMs: number): void {
    const item = this.#items[0];
    if (item !== undefined) this.#sink(item, rankMs);
  }

  /** Sinks an item from the top, replacing the item there. */
  #sink(item: T, rankMs: number): void {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (this.#rankAt(below + 1) < this.#rankAt(below)) below += 1;
      if (this.#rankAt(below) >= rankMs) break;
      this.#move(below, at);
      at = below;
    }
    this.#items[at] = item;
    this.#ranksMs[at] = rankMs;
  }

  /** Returns the rank at an index; infinite beyond the last one, so that no item sinks there. */
  #rankAt(at: number): number {
    return at < this.#ranksMs.length ? (this.#ranksMs[at] ?? Infinity) : Infinity;
  }

  #move(from: number, to: number): void {
    const item = this.#items[from];
    const rankMs = this.#ranksMs[from];
    if (item === undefined || rankMs === undefined) return;
    this.#items[to] = item;
    this.#ranksMs[to] = rankMs;
  }
}
