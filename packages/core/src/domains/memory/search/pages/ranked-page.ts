/**
 * A page of an order in which any entry may come first. Cursors carry the first matches from
 * one call to the next. The page shows them after all entries have been examined.
 */
import { Dimensions } from '../matching/dimensions.js';
import type { OpenRanks } from '../matching/rank-bounds.js';
import { ExaminingPage } from './counting-page.js';
import { comesBefore, type Rank } from '../matching/search-order.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import type { FoundMatch } from '../examination/read-matches.js';

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
export class RankedPage extends ExaminingPage {
  readonly #progress: RankedProgress;
  readonly #matches: number;
  readonly #isBackward: boolean;
  readonly #top: TopMatches;
  readonly #dimensions = new Dimensions();

  constructor(
    progress: RankedProgress,
    bounds: { readonly matches: number; readonly entries: number },
    isBackward: boolean,
  ) {
    super({ position: progress.position, entries: bounds.entries });
    this.#progress = progress;
    this.#matches = bounds.matches;
    this.#isBackward = isBackward;
    this.#top = new TopMatches(progress.top, { most: bounds.matches, isBackward });
  }

  /** The dimensions of embeddings of the matches that were examined, by the index of the scope. */
  get dimensions(): Dimensions {
    return this.#dimensions;
  }

  /** Where the next page goes on with the examination. */
  get progress(): RankedProgress {
    return { start: this.#progress.start, position: this.position, top: this.#top.matches };
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

  protected override take(id: string, { key, scope, dimension }: FoundMatch): void {
    this.#dimensions.add(scope, dimension);
    if (key === undefined) return;
    const match = { key, id, scope };
    const { start } = this.#progress;
    if (start === undefined || comesBefore(start, match, this.#isBackward)) this.#top.add(match);
  }
}
