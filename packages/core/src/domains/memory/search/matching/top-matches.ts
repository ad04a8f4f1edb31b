/** The first of the matches that were added, in an order. */
import { compareRanks, type Rank } from './search-order.js';

/** A match among the first ones. */
export interface RankedMatch extends Rank {
  /** Index of its scope. */
  readonly scope: number;
}

/** Keeps the first matches, in order. */
export class TopMatches<M extends RankedMatch = RankedMatch> {
  readonly #most: number;
  readonly #isBackward: boolean;
  #matches: M[];
  /** Those that were added since the others were put in order. */
  #added: M[] = [];

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
    if (this.#added.length > 0) this.#putInOrder();
    return this.#matches;
  }

  /** Returns whether a match with a key can be among the first. */
  mayTake(key: number): boolean {
    const last = this.#matches[this.#most - 1];
    return last === undefined || key <= last.key;
  }

  /** Adds a match if it is among the first. */
  add(match: M): void {
    if (!this.mayTake(match.key)) return;
    this.#added.push(match);
    // Sorting as many as are kept costs each of them less than finding its place alone.
    if (this.#added.length >= this.#most) this.#putInOrder();
  }

  #putInOrder(): void {
    // The sort is stable: of two matches of one rank, the later one comes first.
    this.#added.reverse();
    const all = [...this.#added, ...this.#matches];
    all.sort((one, other) => compareRanks(one, other, this.#isBackward));
    this.#matches = all.length > this.#most ? all.slice(0, this.#most) : all;
    this.#added = [];
  }
}
