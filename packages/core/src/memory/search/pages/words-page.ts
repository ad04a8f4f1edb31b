/** A page that ranks matches by their words alone, once all of them are counted. */
import type { Step } from '../examination/scope-stream.js';
import type { OpenRanks } from '../matching/rank-bounds.js';
import { type RarityKey, rarityKeys } from '../matching/rarity.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import { type JoinedProgress, type JoinedRanks, RANKED } from './joined-page.js';
import type { OpenPage } from './search-page.js';

/** A page of words under way. */
export class WordsPage implements OpenPage {
  readonly #keyOf: RarityKey;
  readonly #byWords: TopMatches;
  readonly #dimension: number;
  readonly #entries: number;
  #examined = 0;
  #position: string | undefined;

  constructor(
    { position, counts, byWords }: JoinedProgress & JoinedRanks,
    { dimension, entries }: { readonly dimension: number; readonly entries: number },
  ) {
    this.#keyOf = rarityKeys(counts);
    this.#byWords = new TopMatches(byWords, RANKED);
    this.#dimension = dimension;
    this.#entries = entries;
    this.#position = position;
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

  /** Examines the next entries. */
  add({ id, entries, found }: Step): boolean {
    const { wordsKey: terms, scope = 0 } = found ?? {};
    if (terms !== undefined) this.#byWords.add({ key: this.#keyOf(terms), id, scope });
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }
}
