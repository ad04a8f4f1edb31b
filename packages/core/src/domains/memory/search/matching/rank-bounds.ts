/** Decides from cached facts which entries of a read can be among the first of an order. */
import type { HeldFacts, KeyBounds, WantedTerms } from '../../../../kernel/ports/memory-scan.js';

/** The least and the greatest key that an entry can have. */
export interface KeyRange {
  readonly least: number;
  readonly most: number;
}

/**
 * Estimates keys from facts. Returns `undefined` if the facts say too little, and an infinite key
 * for an entry that the order does not rank. The result is valid until the next call.
 */
export interface KeyEstimate {
  readonly rangeOf: (facts: HeldFacts, index: number) => KeyRange | undefined;
  /** Returns the key from the bits of the terms of an entry; absent if they don't determine it. */
  readonly keyOfTerms?: (bits: number) => number;
  /** Work of one call, in bytes that are searched in the same time. */
  readonly work: number;
  /** The embeddings that have a key: their space and dimension; absent where none is needed. */
  readonly embedded?: { readonly space: string; readonly dimension: number };
  /** The terms of a second order, which a match has whatever its key. */
  readonly otherTerms?: WantedTerms | undefined;
}

/**
 * What decides that entries can be left out: all entries that a scan finds, because each of them
 * matches (`entries`); only records that were read and match (`records`); or only the matches of
 * the page so far, because the page may end before the entries of this read (`page`).
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

/** The key range of an entry that the order does not rank. */
export const NO_KEY: KeyRange = { least: Infinity, most: Infinity };

/** Bounds for one read. Each match that it finds can narrow them. */
export class RankBounds implements KeyBounds {
  readonly work: number;
  readonly otherTerms: WantedTerms | undefined;
  readonly leastKeyOfTerms: KeyBounds['leastKeyOfTerms'];
  readonly #estimate: KeyEstimate;
  readonly #ranks: OpenRanks;
  readonly #basis: RankBasis;
  /** Upper bounds of the keys of the first matches, ascending; at most one for each. */
  readonly #mostKeys: number[] = [];
  readonly #dimensions = new Set<number>();
  #last: number;

  constructor(estimate: KeyEstimate, ranks: OpenRanks, basis: RankBasis) {
    this.work = estimate.work;
    this.otherTerms = estimate.otherTerms;
    const { keyOfTerms } = estimate;
    this.leastKeyOfTerms = keyOfTerms && ((bits) => this.#boundedBy(keyOfTerms(bits)));
    this.#estimate = estimate;
    this.#ranks = ranks;
    this.#basis = basis;
    this.#last = ranks.lastKey ?? Infinity;
  }

  /** The dimensions of the embeddings that were looked at. */
  get dimensions(): ReadonlySet<number> {
    return this.#dimensions;
  }

  /** Returns the least key of an entry. It is infinite without one, and on an earlier page. */
  leastKey(facts: HeldFacts, index: number): number | undefined {
    const { embedded } = this.#estimate;
    if (embedded !== undefined) {
      const { space, dimension: wanted } = embedded;
      const held = facts.embeddingsIn(space);
      if (held?.isKnown(index) !== true) return undefined;
      const dimension = held.dimensions[index] ?? 0;
      if (dimension === 0) return Infinity;
      // A search must name the dimension of a scope, so it reads until it meets an embedding.
      const isMet = this.#basis === 'entries' || this.#ranks.dimensions.has(wanted);
      if (!isMet) return undefined;
      this.#dimensions.add(dimension);
      if (dimension !== wanted) return Infinity;
    }
    const range = this.#estimate.rangeOf(facts, index);
    if (range === undefined) return undefined;
    return this.#boundedBy(range.least, range.most);
  }

  #boundedBy(least: number, most = least): number {
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

  /** Returns whether a key is greater than those of the first matches. */
  isPast(key: number): boolean {
    return key === Infinity || key > this.#last;
  }
}
