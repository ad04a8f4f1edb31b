/** Cursors of the order `hybrid`: how far the examination has got, or what it has found. */
import { SEARCH_RANKED_MAX } from '../../../../contract/limits.js';
import {
  decodeCursorBytes,
  encodeCursorBytes,
  type ListIdentity,
} from '../../../../kernel/lists/cursor.js';
import type { TermCounts } from '../matching/rarity.js';
import type { RankedMatch } from '../matching/top-matches.js';
import type { JoinedProgress, JoinedRanks } from './joined-page.js';
import { CursorReader, stale } from './cursor-reader.js';
import {
  COUNT_BYTES,
  countBytes,
  countsIn,
  matchBytes,
  matchIn,
  noCounts,
  positionBytes,
  positionIn,
} from './search-cursor.js';

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
