/** A page that counts matches by their terms, and keeps what they are weighed by. */
import { SEARCH_BEST_MAX } from '../../../contract/limits.js';
import type { Step } from '../examination/scope-stream.js';
import { WeighedMatches } from '../examination/weighed-matches.js';
import type { TermWeights, WeighedMatch } from '../matching/best-words.js';
import type { TermCounts } from '../matching/rarity.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import { idBytes } from './search-cursor.js';
import type { OpenPage } from './search-page.js';

/** A match among the first by its own words; weighed if this page examined it. */
interface FirstMatch extends RankedMatch {
  readonly weighed?: WeighedMatch;
}

/** A page of best matches under way. */
export class WeighingPage implements OpenPage {
  readonly #entries: number;
  readonly #terms: number;
  readonly #records: number[];
  readonly #matches: WeighedMatches[] = [];
  #counted: number;
  #position: string | undefined;
  #examined = 0;

  constructor({
    position,
    counts,
    entries,
  }: {
    readonly position: string | undefined;
    readonly counts: TermCounts;
    readonly entries: number;
  }) {
    this.#position = position;
    this.#counted = counts.matches;
    this.#records = [...counts.records];
    this.#terms = counts.records.length;
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

  /** Id of the last entry examined. */
  get position(): string | undefined {
    return this.#position;
  }

  /** The counts of earlier pages with those of this one. */
  get counts(): TermCounts {
    return { matches: this.#counted, records: this.#records };
  }

  /** Begins to take matches together. */
  readonly tally = (scope: number): WeighedMatches =>
    new WeighedMatches(scope, this.#terms, (matches) => this.#take(matches));

  /** Examines the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) {
      const { scope, key: terms = 0, revision, weighed } = found;
      const one = this.tally(scope);
      one.add(idBytes(id), 0, { terms, revision, weighed });
      one.keep();
    }
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }

  /** Returns the first matches by their own words, of those before and its own. */
  first(weights: TermWeights, before: readonly RankedMatch[] = []): readonly FirstMatch[] {
    const order = { most: SEARCH_BEST_MAX, isBackward: true };
    const top = new TopMatches<FirstMatch>(before, order);
    for (const matches of this.#matches) {
      for (let at = 0; at < matches.length; at += 1) {
        const key = 0 - matches.weightAt(at, weights);
        if (!top.mayTake(key)) continue;
        const weighed = matches.at(at);
        top.add({ key, id: weighed.id, scope: weighed.scope, weighed });
      }
    }
    return top.matches;
  }

  #take(matches: WeighedMatches): void {
    this.#matches.push(matches);
    this.#counted += matches.length;
    matches.countInto(this.#records);
  }
}
