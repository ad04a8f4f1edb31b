/**
 * A binary heap that gives out the fullest bucket: the one that is full first.
 * @module
 */

/** A heap of items by the time at which they are full, earliest first. */
export class FullnessHeap<T> {
  readonly #items: T[] = [];
  // Beside the items, so that moves compare numbers that lie together in memory.
  readonly #ranksMs: number[] = [];

  /** The fullest item. */
  get top(): T | undefined {
    return this.#items[0];
  }

  /** When the fullest item is full, as far as the heap knows; without an item, never. */
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

  /** Gives the fullest item a later rank, and so another place. */
  demote(rankMs: number): void {
    const item = this.#items[0];
    if (item !== undefined) this.#sink(item, rankMs);
  }

  /** Lets an item sink from the top, whose own item is given up. */
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

  /** Rank at a place; beyond the last one never full, so that nothing sinks there. */
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
