/** A page that counts how many matches have each term, before they can be ranked by rarity. */
import type { Step } from '../examination/scope-stream.js';
import { TalliedMatches } from '../examination/tallied-matches.js';
import type { TermCounts } from '../matching/rarity.js';
import type { RankedMatch } from '../matching/top-matches.js';
import type { OpenPage } from './search-page.js';
import { TermTally } from './term-tally.js';

/** How far the counting has got; cursors hold it. */
export interface CountingProgress {
  /** Id of the last entry that was counted; absent before the first one. */
  readonly position: string | undefined;
  readonly counts: TermCounts;
}

/** Counts matches by their terms. It keeps those of its own entries, so that they can be ranked. */
export class CountingPage implements OpenPage {
  readonly #entries: number;
  readonly #tally: TermTally;
  #position: string | undefined;
  #examined = 0;

  constructor({ position, counts }: CountingProgress, entries: number) {
    this.#position = position;
    this.#tally = new TermTally(counts);
    this.#entries = entries;
  }

  /** Entries that were examined. */
  get examined(): number {
    return this.#examined;
  }

  /** Entries that may still be examined. */
  get entriesLeft(): number {
    return this.#entries - this.#examined;
  }

  /** Where the next page goes on. */
  get progress(): CountingProgress {
    return { position: this.#position, counts: this.#tally.counts };
  }

  /** Returns the first matches among the entries that were examined, if these were all. */
  first(most: number): readonly RankedMatch[] {
    return this.#tally.first(most);
  }

  /** Counts the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) {
      const { key: terms = 0, scope } = found;
      this.#tally.add({ id, scope, terms });
    }
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }

  /** Begins to take matches together. */
  readonly tally = (scope: number): TalliedMatches =>
    new TalliedMatches(scope, (matches) => this.#tally.addAll(matches));
}
