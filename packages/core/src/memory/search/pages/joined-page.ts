/**
 * A page of matches ranked twice, by words and by distance, and joined by the reciprocals of their
 * ranks. It keeps the first matches of both, from one call to the next.
 */
import { SEARCH_RANK_OFFSET, SEARCH_RANKED_MAX } from '../../../contract/limits.js';
import { Dimensions } from '../matching/dimensions.js';
import type { OpenRanks } from '../matching/rank-bounds.js';
import type { SearchRanks } from '../documents/schema.js';
import type { Step } from '../examination/scope-stream.js';
import type { OpenPage } from './search-page.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';

/** How far a joined page has got; cursors hold it. */
export interface JoinedProgress {
  /** Id of the last entry examined; absent before the first one, and once all were examined. */
  readonly position: string | undefined;
  /** How many of the joined matches earlier pages have; absent while entries are left. */
  readonly passed: number | undefined;
  /** The first matches by words, in order. */
  readonly byWords: readonly RankedMatch[];
  /** The first matches by distance, in order. */
  readonly byDistance: readonly RankedMatch[];
}

const DEPTH = { most: SEARCH_RANKED_MAX, isBackward: true };

/** A joined page while entries are examined. */
export class JoinedPage implements OpenPage {
  readonly #byWords: TopMatches;
  readonly #byDistance: TopMatches;
  readonly #entries: number;
  readonly dimensions = new Dimensions();
  #examined = 0;
  #position: string | undefined;

  constructor(progress: JoinedProgress, entries: number) {
    this.#byWords = new TopMatches(progress.byWords, DEPTH);
    this.#byDistance = new TopMatches(progress.byDistance, DEPTH);
    this.#position = progress.position;
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

  /** Where the next page goes on with the examination. */
  get progress(): JoinedProgress {
    return {
      position: this.#position,
      passed: undefined,
      byWords: this.#byWords.matches,
      byDistance: this.#byDistance.matches,
    };
  }

  /** Returns the bounds of distances that the page still takes from a scope. */
  ranksIn(scope: number): OpenRanks {
    return {
      matches: DEPTH.most,
      startKey: undefined,
      lastKey: this.#byDistance.matches[DEPTH.most - 1]?.key,
      dimensions: this.dimensions.in(scope),
    };
  }

  /** Examines the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) {
      const { key, wordsKey, scope, dimension } = found;
      this.dimensions.add(scope, dimension);
      if (key !== undefined) this.#byDistance.add({ key, id, scope });
      if (wordsKey !== undefined) this.#byWords.add({ key: wordsKey, id, scope });
    }
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }
}

/** A match with its ranks and keys. */
export interface JoinedMatch {
  readonly id: string;
  /** Index of its scope. */
  readonly scope: number;
  readonly ranks: SearchRanks;
  readonly wordsKey: number | undefined;
  readonly key: number | undefined;
}

/** Joins matches by the sum of the reciprocals of their ranks; equal ones the newest first. */
export function joinedMatches({ byWords, byDistance }: JoinedProgress): JoinedMatch[] {
  const [wordRanks, vectorRanks] = [rankedById(byWords), rankedById(byDistance)];
  const scopes = new Map([...byWords, ...byDistance].map(({ id, scope }) => [id, scope]));
  const joined = Array.from(scopes, ([id, scope]): JoinedMatch => {
    const [words, vector] = [wordRanks.get(id), vectorRanks.get(id)];
    const ranks = { words: words?.rank ?? null, vector: vector?.rank ?? null };
    return { id, scope, ranks, wordsKey: words?.key, key: vector?.key };
  });
  return joined.sort(
    (one, other) =>
      reciprocalsOf(other.ranks) - reciprocalsOf(one.ranks) || (one.id < other.id ? 1 : -1),
  );
}

function reciprocalsOf({ words, vector }: SearchRanks): number {
  return reciprocalOf(words) + reciprocalOf(vector);
}

function reciprocalOf(rank: number | null): number {
  return rank === null ? 0 : 1 / (SEARCH_RANK_OFFSET + rank);
}

/** Gives equal keys the same rank: one more than there are matches with lesser keys. */
function rankedById(
  matches: readonly RankedMatch[],
): ReadonlyMap<string, { readonly rank: number; readonly key: number }> {
  let rank = 0;
  let before: number | undefined;
  return new Map(
    matches.map(({ id, key }, index) => {
      if (key !== before) rank = index + 1;
      before = key;
      return [id, { rank, key }];
    }),
  );
}
