/** One page that joins both orders, and where the next one starts. */
import { SEARCH_RANK_OFFSET, SEARCH_RANKED_MAX } from '../../../../contract/limits.js';
import {
  decodeCursorBytes,
  encodeCursorBytes,
  type ListIdentity,
} from '../../../../kernel/lists/cursor.js';
import type { RankJoin, SearchRanks } from '../documents/join-schema.js';
import type { FoundMatch } from '../examination/read-matches.js';
import { Dimensions } from '../matching/dimensions.js';
import type { OpenRanks } from '../matching/rank-bounds.js';
import type { TermCounts } from '../matching/rarity.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import { type CountingProgress, ExaminingPage } from './counting-page.js';
import {
  COUNT_BYTES,
  countBytes,
  countsIn,
  CursorReader,
  matchBytes,
  matchIn,
  noCounts,
  positionBytes,
  positionIn,
  stale,
} from './search-cursor.js';
import { TermTally } from './term-tally.js';

/** How far the examination for both orders has got; cursors hold it. */
export interface JoinedProgress extends CountingProgress {
  /** The first matches by distance, in order. */
  readonly byDistance: readonly RankedMatch[];
}

/** The first matches of both orders, once they are known. */
export interface JoinedRanks {
  /** The first matches by words, in order. */
  readonly byWords: readonly RankedMatch[];
  /** The first matches by distance, in order. */
  readonly byDistance: readonly RankedMatch[];
}

/** The matches that each order ranks. */
export const RANKED = { most: SEARCH_RANKED_MAX, isBackward: true };

/**
 * A page that ranks matches by distance, and counts those that have the words, so that they can be
 * ranked by rarity.
 */
export class JoinedPage extends ExaminingPage {
  readonly #tally: TermTally;
  readonly #byDistance: TopMatches;
  readonly dimensions = new Dimensions();

  constructor({ position, counts, byDistance }: JoinedProgress, entries: number) {
    super({ position, entries });
    this.#tally = new TermTally(counts);
    this.#byDistance = new TopMatches(byDistance, RANKED);
  }

  /** Where the next page goes on with the examination. */
  get progress(): JoinedProgress {
    const { counts } = this.#tally;
    return { position: this.position, counts, byDistance: this.#byDistance.matches };
  }

  /** The first matches of the entries that were examined, if these were all. */
  get ranks(): JoinedRanks {
    const byWords = this.#tally.first(RANKED.most);
    return { byWords, byDistance: this.#byDistance.matches };
  }

  /** Returns the bounds of distances that the page still takes from a scope. */
  ranksIn(scope: number): OpenRanks {
    return {
      matches: RANKED.most,
      startKey: undefined,
      lastKey: this.#byDistance.matches[RANKED.most - 1]?.key,
      dimensions: this.dimensions.in(scope),
    };
  }

  protected override take(
    id: string,
    { key, wordsKey: terms, scope, dimension }: FoundMatch,
  ): void {
    this.dimensions.add(scope, dimension);
    if (key !== undefined) this.#byDistance.add({ key, id, scope });
    if (terms !== undefined) this.#tally.add({ id, scope, terms });
  }
}

/** A match with its ranks and keys. */
interface JoinedMatch {
  readonly id: string;
  /** Index of its scope. */
  readonly scope: number;
  readonly ranks: SearchRanks;
  readonly wordsKey: number | undefined;
  readonly key: number | undefined;
}

/** Joins matches by the sum of the reciprocals of their ranks; equal ones the newest first. */
export function joinedMatches(
  { byWords, byDistance }: JoinedRanks,
  join: RankJoin | null,
): JoinedMatch[] {
  const [wordRanks, vectorRanks] = [rankedById(byWords), rankedById(byDistance)];
  const scopes = new Map([...byWords, ...byDistance].map(({ id, scope }) => [id, scope]));
  const joined = Array.from(scopes, ([id, scope]): JoinedMatch => {
    const [words, vector] = [wordRanks.get(id), vectorRanks.get(id)];
    const ranks = { words: words?.rank ?? null, vector: vector?.rank ?? null };
    return { id, scope, ranks, wordsKey: words?.key, key: vector?.key };
  });
  const { offset, vector_weight } = join ?? EVEN_JOIN;
  const shareOf = (rank: number | null, weight: number) =>
    rank === null ? 0 : weight / (offset + rank);
  const sumOf = ({ ranks: { words, vector } }: JoinedMatch) =>
    shareOf(words, 1) + shareOf(vector, vector_weight);
  return joined.sort((one, other) => sumOf(other) - sumOf(one) || (one.id < other.id ? 1 : -1));
}

const EVEN_JOIN: RankJoin = { offset: SEARCH_RANK_OFFSET, vector_weight: 1 };

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

/** Where a search by words and a vector goes on. */
export type JoinedPlace =
  /** Matches are ranked by distance, and counted by their words. */
  | (JoinedProgress & { readonly step: 'counting' })
  /** They are examined again, to rank them by their words; `position` is absent at first. */
  | (JoinedProgress & JoinedRanks & { readonly step: 'ranking' })
  /** They are ranked, and earlier pages have passed some of them. */
  | (JoinedRanks & {
      readonly step: 'joined';
      readonly counts: TermCounts;
      readonly passed: number;
    });

const STEPS = ['counting', 'ranking', 'joined'] as const;

/**
 * Returns where a search goes on.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another search.
 */
export function joinedPlaceIn(
  list: ListIdentity,
  cursor: string | null,
  bounds: { readonly terms: number; readonly scopes: number },
): JoinedPlace {
  if (cursor === null) {
    const counts = noCounts(bounds.terms);
    return { step: 'counting', position: undefined, counts, byDistance: [] };
  }
  const reader = new CursorReader(decodeCursorBytes(list, cursor));
  const matchesIn = (): RankedMatch[] =>
    Array.from({ length: reader.next(1).readUInt8() }, () => matchIn(reader, bounds.scopes));
  const step = STEPS[reader.next(1).readUInt8()];
  const passed = reader.next(1).readUInt8();
  const position = positionIn(reader);
  const counts = countsIn(reader.next(COUNT_BYTES * (bounds.terms + 1)));
  const [byWords, byDistance] = [matchesIn(), matchesIn()];
  const isTooLong = Math.max(byWords.length, byDistance.length) > SEARCH_RANKED_MAX;
  if (step === undefined || !reader.isAtEnd || isTooLong) throw stale();
  return { step, position, passed, counts, byWords, byDistance };
}

/** Returns the cursor that goes on with a search. */
export function joinedCursor(list: ListIdentity, place: JoinedPlace): string {
  const { step, counts, byDistance } = place;
  const byWords = step === 'counting' ? [] : place.byWords;
  const [passed, position] = step === 'joined' ? [place.passed, undefined] : [0, place.position];
  const bytes = Buffer.concat([
    Buffer.from([STEPS.indexOf(step), passed]),
    positionBytes(position),
    countBytes(counts),
    allBytes(byWords),
    allBytes(byDistance),
  ]);
  return encodeCursorBytes(list, bytes);
}

function allBytes(matches: readonly RankedMatch[]): Buffer {
  return Buffer.concat([Buffer.from([matches.length]), ...matches.map(matchBytes)]);
}
