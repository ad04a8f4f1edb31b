/** A page that counts matches by their terms, and keeps what they are weighed by. */
import { SEARCH_BEST_MAX } from '../../../../contract/limits.js';
import type { FoundMatch } from '../examination/read-matches.js';
import { WeighedMatches } from '../examination/weighed-matches.js';
import type { TermWeights, WeighedMatch } from '../matching/best-words.js';
import type { TermCounts } from '../matching/rarity.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import { idBytes } from './search-cursor.js';
import { type Examination, ExaminingPage } from './counting-page.js';

/** A match among the first by its own words; weighed if this page examined it. */
interface FirstMatch extends RankedMatch {
  readonly weighed?: WeighedMatch;
}

/** A page of best matches under way. */
export class WeighingPage extends ExaminingPage {
  readonly #terms: number;
  readonly #records: number[];
  readonly #matches: WeighedMatches[] = [];
  /** Those that were taken one by one, by the index of their scope. */
  readonly #single = new Map<number, WeighedMatches>();
  /** Scopes and ids of those that other records superseded. */
  readonly #ended = new Set<string>();
  #counted: number;

  constructor({ counts, ...examination }: Examination & { readonly counts: TermCounts }) {
    super(examination);
    this.#counted = counts.matches;
    this.#records = [...counts.records];
    this.#terms = counts.records.length;
  }

  /** The counts of earlier pages with those of this one. */
  get counts(): TermCounts {
    return { matches: this.#counted, records: this.#records };
  }

  /** Begins to take matches together. */
  readonly tally = (scope: number): WeighedMatches =>
    new WeighedMatches(scope, this.#terms, (matches) => {
      this.#matches.push(matches);
      this.#count(matches, 0);
    });

  protected override take(
    id: string,
    { scope, key: terms = 0, revision, weighed, isEnded }: FoundMatch,
  ): void {
    if (isEnded) this.#ended.add(`${String(scope)} ${id}`);
    const matches = this.#single.get(scope) ?? this.tally(scope);
    this.#single.set(scope, matches);
    matches.add(idBytes(id), 0, { terms, revision, weighed });
    this.#count(matches, matches.length - 1);
  }

  /** Returns the first matches by their own words, of those before and its own. */
  first(weights: TermWeights, before: readonly RankedMatch[] = []): readonly FirstMatch[] {
    const order = { most: SEARCH_BEST_MAX, isBackward: true };
    const top = new TopMatches<FirstMatch>(before, order);
    for (const matches of [...this.#matches, ...this.#single.values()]) {
      for (let at = 0; at < matches.length; at += 1) {
        const key = 0 - matches.weightAt(at, weights);
        if (!top.mayTake(key)) continue;
        const weighed = matches.at(at);
        const { id, scope } = weighed;
        const isEnded = this.#ended.size > 0 && this.#ended.has(`${String(scope)} ${id}`);
        top.add({ key, id, scope, weighed: isEnded ? { ...weighed, isEnded } : weighed });
      }
    }
    return top.matches;
  }

  #count(matches: WeighedMatches, from: number): void {
    this.#counted += matches.length - from;
    matches.countInto(this.#records, from);
  }
}
