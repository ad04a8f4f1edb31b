/** The first of the matches that were added, in an order. */
import { comesBefore, type Rank } from './search-order.js';

/** A match among the first ones. */
export interface RankedMatch extends Rank {
  /** Index of its scope. */
  readonly scope: number;
}

/** Keeps the first matches, in order. */
export class TopMatches<M extends RankedMatch = RankedMatch> {
  readonly #most: number;
  readonly #isBackward: boolean;
  readonly #matches: M[];

  constructor(
    matches: readonly M[],
    order: { readonly most: number; readonly isBackward: boolean },
  ) {
    this.#matches = [...matches];
    this.#most = order.most;
    this.#isBackward = order.isBackward;
  }

  /** The first matches, in order. */
  get matches(): readonly M[] {
    return this.#matches;
  }

  /** Returns whether a match with a key can be among the first. */
  mayTake(key: number): boolean {
    const last = this.#matches[this.#most - 1];
    return last === undefined || key <= last.key;
  }

  /** Adds a match if it is among the first. */
  add(match: M): void {
    const top = this.#matches;
    let low = 0;
    let high = top.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = top[middle];
      if (other !== undefined && comesBefore(other, match, this.#isBackward)) low = middle + 1;
      else high = middle;
    }
    if (low >= this.#most) return;
    top.splice(low, 0, match);
    if (top.length > this.#most) top.pop();
  }
}
