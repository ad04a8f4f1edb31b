/** Which entries of one read can be among the first matches of an order, by held facts. */
import type { HeldFacts, KeyBounds, WantedBytes } from '../../../runtime/ports/memory-scan.js';

/** The least and the greatest key that an entry can have. */
export interface KeyRange {
  readonly least: number;
  readonly most: number;
}

/**
 * Estimates keys from facts. Returns `undefined` if the facts don't tell, and an infinite key for
 * an entry without a place in the order. The result is on loan until the next call.
 */
export interface KeyEstimate {
  readonly rangeOf: (facts: HeldFacts, index: number) => KeyRange | undefined;
  /** Work of one call, in bytes that are searched in the same time. */
  readonly work: number;
  /** Number of components that an embedding needs to have a key; absent where none is needed. */
  readonly dimension?: number;
  /** Texts without any of which a record has no place in a second order, if there is one. */
  readonly otherTexts?: readonly WantedBytes[];
}

/**
 * What leaves entries out: whatever a scan finds, because all of it matches; records that were read
 * and match; or the page alone, which may end before what a read finds.
 */
export type RankBasis = 'entries' | 'records' | 'page';

/** What a page still takes. */
export interface OpenRanks {
  /** Most matches of the page. */
  readonly matches: number;
  /** Key of the last match of the page before; absent on the first page. */
  readonly startKey: number | undefined;
  /** Key of the last of the first matches so far, once there are as many as the page takes. */
  readonly lastKey: number | undefined;
  /** The dimensions of the embeddings that were met in the scope. */
  readonly dimensions: ReadonlySet<number>;
}

/** No entry has this key: it has no place in the order. */
export const NO_KEY: KeyRange = { least: Infinity, most: Infinity };

/** Bounds for one read. They get narrower with what it finds. */
export class RankBounds implements KeyBounds {
  readonly work: number;
  readonly otherTexts: readonly WantedBytes[] | undefined;
  readonly #estimate: KeyEstimate;
  readonly #ranks: OpenRanks;
  readonly #basis: RankBasis;
  /** Keys that as many entries as the page takes don't exceed, in ascending order. */
  readonly #mostKeys: number[] = [];
  readonly #dimensions = new Set<number>();
  #last: number;

  constructor(estimate: KeyEstimate, ranks: OpenRanks, basis: RankBasis) {
    this.work = estimate.work;
    this.otherTexts = estimate.otherTexts;
    this.#estimate = estimate;
    this.#ranks = ranks;
    this.#basis = basis;
    this.#last = ranks.lastKey ?? Infinity;
  }

  /** The dimensions of the embeddings that were looked at. */
  get dimensions(): ReadonlySet<number> {
    return this.#dimensions;
  }

  /** Returns the least key of an entry; infinite for none, and for those of earlier pages. */
  leastKey(facts: HeldFacts, index: number): number | undefined {
    const { dimension: wanted } = this.#estimate;
    if (wanted !== undefined) {
      const dimension = facts.dimensions[index] ?? 0;
      if (dimension === 0) return Infinity;
      // A search has to say which dimension there is, so it looks for a match with one.
      const isMet = this.#basis === 'entries' || this.#ranks.dimensions.has(wanted);
      if (!isMet) return undefined;
      this.#dimensions.add(dimension);
      if (dimension !== wanted) return Infinity;
    }
    const range = this.#estimate.rangeOf(facts, index);
    if (range === undefined) return undefined;
    const { least, most } = range;
    const startKey = this.#ranks.startKey ?? -Infinity;
    if (most < startKey) return Infinity;
    if (this.#basis === 'entries' && least > startKey) this.#add(most);
    return least;
  }

  /** Adds a match that was read; each may be added once. */
  addRead(key: number, leastKey: number | undefined): void {
    const isAdded = leastKey !== undefined && this.#basis === 'entries';
    if (this.#basis !== 'page' && !isAdded && key > (this.#ranks.startKey ?? -Infinity))
      this.#add(key);
  }

  /** Adds a key that a match does not exceed. */
  #add(key: number): void {
    if (!(key < this.#last)) return;
    const keys = this.#mostKeys;
    let at = keys.length;
    while (at > 0 && (keys[at - 1] ?? 0) > key) at -= 1;
    keys.splice(at, 0, key);
    if (keys.length > this.#ranks.matches) keys.pop();
    if (keys.length < this.#ranks.matches) return;
    this.#last = Math.min(this.#last, keys.at(-1) ?? Infinity);
  }

  /** Whether a key is behind the first matches; equal keys are not. */
  isPast(key: number): boolean {
    return key === Infinity || key > this.#last;
  }
}
