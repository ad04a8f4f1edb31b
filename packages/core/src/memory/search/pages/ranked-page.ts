/**
 * A page of an order in which any entry may come first. Cursors carry the first matches from
 * one call to the next. The page shows them after all entries have been examined.
 */
import { Dimensions } from '../matching/dimensions.js';
import type { OpenRanks } from '../matching/rank-bounds.js';
import type { OpenPage } from './search-page.js';
import { comesBefore, type Rank } from '../matching/search-order.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import type { FoundMatch } from '../examination/read-matches.js';
import type { Step } from '../examination/scope-stream.js';

/** How far a page has got; cursors hold it. */
export interface RankedProgress {
  /** The last match of the page before; absent on the first page. */
  readonly start: Rank | undefined;
  /** Id of the last entry examined; absent before the first one. */
  readonly position: string | undefined;
  /** The first matches after `start`, in order. */
  readonly top: readonly RankedMatch[];
}

/** A ranked page under way. */
export class RankedPage implements OpenPage {
  readonly #progress: RankedProgress;
  readonly #entries: number;
  readonly #matches: number;
  readonly #isBackward: boolean;
  readonly #top: TopMatches;
  readonly #dimensions = new Dimensions();
  #examined = 0;
  #position: string | undefined;

  constructor(
    progress: RankedProgress,
    bounds: { readonly matches: number; readonly entries: number },
    isBackward: boolean,
  ) {
    this.#progress = progress;
    this.#entries = bounds.entries;
    this.#matches = bounds.matches;
    this.#isBackward = isBackward;
    this.#top = new TopMatches(progress.top, { most: bounds.matches, isBackward });
    this.#position = progress.position;
  }

  /** Entries that were examined. */
  get examined(): number {
    return this.#examined;
  }

  /** Entries that may still be examined. */
  get entriesLeft(): number {
    return this.#entries - this.#examined;
  }

  /** The dimensions of embeddings of the matches that were examined, by the index of the scope. */
  get dimensions(): Dimensions {
    return this.#dimensions;
  }

  /** Where the next page goes on with the examination. */
  get progress(): RankedProgress {
    return { start: this.#progress.start, position: this.#position, top: this.#top.matches };
  }

  /** Returns the bounds of ranks that the page still takes from a scope. */
  ranksIn(scope: number): OpenRanks {
    const { matches } = this.#top;
    return {
      matches: this.#matches,
      startKey: this.#progress.start?.key,
      lastKey: matches[this.#matches - 1]?.key,
      dimensions: this.#dimensions.in(scope),
    };
  }

  /** Examines the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) this.#look(found, id);
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }

  #look({ key, scope, dimension }: FoundMatch, id: string): void {
    this.#dimensions.add(scope, dimension);
    if (key === undefined) return;
    const match = { key, id, scope };
    const { start } = this.#progress;
    if (start === undefined || comesBefore(start, match, this.#isBackward)) this.#top.add(match);
  }
}
