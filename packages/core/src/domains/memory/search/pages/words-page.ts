/** A page that ranks matches by their words alone, once all of them are counted. */
import type { FoundMatch } from '../examination/read-matches.js';
import type { OpenRanks } from '../matching/rank-bounds.js';
import { type RarityKey, rarityKeys } from '../matching/rarity.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import { type JoinedProgress, type JoinedRanks, RANKED } from './joined-page.js';
import { ExaminingPage } from './examining-page.js';

/** A page of words under way. */
export class WordsPage extends ExaminingPage {
  readonly #keyOf: RarityKey;
  readonly #byWords: TopMatches;
  readonly #dimension: number;

  constructor(
    { position, counts, byWords }: JoinedProgress & JoinedRanks,
    { dimension, entries }: { readonly dimension: number; readonly entries: number },
  ) {
    super({ position, entries });
    this.#keyOf = rarityKeys(counts);
    this.#byWords = new TopMatches(byWords, RANKED);
    this.#dimension = dimension;
  }

  /** The first matches by words, in order. */
  get byWords(): readonly RankedMatch[] {
    return this.#byWords.matches;
  }

  /** No distance is taken any more. */
  readonly ranksIn = (): OpenRanks => ({
    matches: RANKED.most,
    startKey: undefined,
    lastKey: -Infinity,
    dimensions: new Set([this.#dimension]),
  });

  protected override take(id: string, { wordsKey: terms, scope }: FoundMatch): void {
    if (terms !== undefined) this.#byWords.add({ key: this.#keyOf(terms), id, scope });
  }
}
