/** A page that counts how many matches have each term, before they can be ranked by rarity. */
import type { FoundMatch } from '../examination/read-matches.js';
import { TalliedMatches } from '../examination/tallied-matches.js';
import type { TermCounts } from '../matching/rarity.js';
import type { RankedMatch } from '../matching/top-matches.js';
import { ExaminingPage } from './examining-page.js';
import { TermTally } from './term-tally.js';

/** How far the counting has got; cursors hold it. */
export interface CountingProgress {
  /** Id of the last entry that was counted; absent before the first one. */
  readonly position: string | undefined;
  readonly counts: TermCounts;
}

/** Counts matches by their terms. It keeps those of its own entries, so that they can be ranked. */
export class CountingPage extends ExaminingPage {
  readonly #tally: TermTally;

  constructor({ position, counts }: CountingProgress, entries: number) {
    super({ position, entries });
    this.#tally = new TermTally(counts);
  }

  /** Where the next page goes on. */
  get progress(): CountingProgress {
    return { position: this.position, counts: this.#tally.counts };
  }

  /** Returns the first matches among the entries that were examined, if these were all. */
  first(most: number): readonly RankedMatch[] {
    return this.#tally.first(most);
  }

  protected override take(id: string, { key: terms = 0, scope }: FoundMatch): void {
    this.#tally.add({ id, scope, terms });
  }

  /** Begins to take matches together. */
  readonly tally = (scope: number): TalliedMatches =>
    new TalliedMatches(scope, (matches) => this.#tally.addAll(matches));
}
