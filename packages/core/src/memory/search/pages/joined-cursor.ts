/** Cursors of the order `hybrid`: how far the examination has got, or what it has found. */
import { SEARCH_RANKED_MAX } from '../../../contract/limits.js';
import {
  decodeCursorBytes,
  encodeCursorBytes,
  type ListIdentity,
} from '../../../runtime/lists/cursor.js';
import type { TermCounts } from '../matching/rarity.js';
import type { RankedMatch } from '../matching/top-matches.js';
import type { JoinedProgress, JoinedRanks } from './joined-page.js';
import {
  COUNT_BYTES,
  countBytes,
  countsIn,
  ID_BYTES,
  idBytes,
  idOf,
  RANK_BYTES,
  rankBytes,
  rankOf,
  stale,
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
const NO_ID = '00000000-0000-0000-0000-000000000000';

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
    const records = Array.from({ length: bounds.terms }, () => 0);
    const counts = { matches: 0, records };
    return { step: 'counting', position: undefined, counts, byDistance: [] };
  }
  const bytes = decodeCursorBytes(list, cursor);
  let at = 0;
  const next = (size: number) => {
    if (at + size > bytes.length) throw stale();
    at += size;
    return bytes.subarray(at - size, at);
  };
  const matchesIn = (): RankedMatch[] =>
    Array.from({ length: next(1).readUInt8() }, () => {
      const match = rankOf(next(RANK_BYTES));
      const scope = next(1).readUInt8();
      if (scope >= bounds.scopes) throw stale();
      return { ...match, scope };
    });
  // Anyone can forge the digest of a cursor, so its parts are checked.
  const step = STEPS[next(1).readUInt8()];
  const passed = next(1).readUInt8();
  const id = idOf(next(ID_BYTES), 0);
  const counts = countsIn(next(COUNT_BYTES * (bounds.terms + 1)));
  const [byWords, byDistance] = [matchesIn(), matchesIn()];
  const isTooLong = Math.max(byWords.length, byDistance.length) > SEARCH_RANKED_MAX;
  if (step === undefined || at < bytes.length || isTooLong) throw stale();
  const position = id === NO_ID ? undefined : id;
  return { step, position, passed, counts, byWords, byDistance };
}

/** Returns the cursor that goes on with a search. */
export function joinedCursor(list: ListIdentity, place: JoinedPlace): string {
  const { step, counts, byDistance } = place;
  const byWords = step === 'counting' ? [] : place.byWords;
  const [passed, position] = step === 'joined' ? [place.passed, NO_ID] : [0, place.position];
  const bytes = Buffer.concat([
    Buffer.from([STEPS.indexOf(step), passed]),
    idBytes(position ?? NO_ID),
    countBytes(counts),
    matchBytes(byWords),
    matchBytes(byDistance),
  ]);
  return encodeCursorBytes(list, bytes);
}

function matchBytes(matches: readonly RankedMatch[]): Buffer {
  const parts = matches.flatMap((match) => [rankBytes(match), Buffer.from([match.scope])]);
  return Buffer.concat([Buffer.from([matches.length]), ...parts]);
}
