/** Cursors of the order `best_words`: how far the examination has got, or what is left to show. */
import { SEARCH_BEST_MAX } from '../../../../contract/limits.js';
import {
  decodeCursorBytes,
  encodeCursorBytes,
  type ListIdentity,
} from '../../../../kernel/lists/cursor.js';
import { writeUuid } from '../../../../storage/store/key.js';
import type { BestMatch } from '../matching/best-words.js';
import type { TermCounts } from '../matching/rarity.js';
import type { RankedMatch } from '../matching/top-matches.js';
import {
  COUNT_BYTES,
  countBytes,
  countsIn,
  CursorReader,
  ID_BYTES,
  idOf,
  matchBytes,
  matchIn,
  noCounts,
  positionBytes,
  positionIn,
  stale,
} from './search-cursor.js';

/** Where a search for the best matches goes on. */
export type BestPlace = { readonly counts: TermCounts } & (
  | { readonly step: 'counting'; readonly position: string | undefined }
  /** Matches are examined again; the first ones by their own words are known so far. */
  | {
      readonly step: 'weighing';
      readonly position: string | undefined;
      readonly first: readonly RankedMatch[];
    }
  /** Their order is known; these are left. */
  | { readonly step: 'ordered'; readonly left: readonly BestMatch[] }
);

const STEPS = ['counting', 'weighing', 'ordered'] as const;
const REVISION_BYTES = 6;
const NEARBY_BYTES = 4;
const LEFT_BYTES = ID_BYTES + 1 + REVISION_BYTES + NEARBY_BYTES + 1;

/**
 * Returns where a search goes on.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another search.
 */
export function bestPlaceIn(
  list: ListIdentity,
  cursor: string | null,
  bounds: { readonly terms: number; readonly scopes: number },
): BestPlace {
  if (cursor === null) {
    return { step: 'counting', position: undefined, counts: noCounts(bounds.terms) };
  }
  const reader = new CursorReader(decodeCursorBytes(list, cursor));
  const allOf = <T>(read: () => T): T[] => {
    const all: T[] = [];
    while (!reader.isAtEnd) all.push(read());
    if (all.length > SEARCH_BEST_MAX) throw stale();
    return all;
  };
  const step = STEPS[reader.next(1).readUInt8()];
  const position = positionIn(reader);
  const counts = countsIn(reader.next(COUNT_BYTES * (bounds.terms + 1)));
  if (step === 'weighing') {
    return { step, position, counts, first: allOf(() => matchIn(reader, bounds.scopes)) };
  }
  if (step === 'ordered') {
    const left = allOf(() => ({
      id: idOf(reader.next(ID_BYTES), 0),
      scope: reader.scope(bounds.scopes),
      revision: reader.next(REVISION_BYTES).readUIntBE(0, REVISION_BYTES),
      nearby: reader.next(NEARBY_BYTES).readUInt32BE(),
      inPlaceOf: reader.next(1).readUInt8() === 0 ? undefined : idOf(reader.next(ID_BYTES), 0),
    }));
    return { step, counts, left };
  }
  if (step === undefined || !reader.isAtEnd) throw stale();
  return { step, position, counts };
}

/** Returns the cursor that goes on with a search. */
export function bestCursor(list: ListIdentity, place: BestPlace): string {
  const { step, counts } = place;
  const position = step === 'ordered' ? undefined : place.position;
  const bytes = Buffer.concat([
    Buffer.from([STEPS.indexOf(step)]),
    positionBytes(position),
    countBytes(counts),
    ...itemsOf(place),
  ]);
  return encodeCursorBytes(list, bytes);
}

function itemsOf(place: BestPlace): readonly Buffer[] {
  if (place.step === 'counting') return [];
  return place.step === 'weighing' ? place.first.map(matchBytes) : [leftBytes(place.left)];
}

function leftBytes(left: readonly BestMatch[]): Buffer {
  const lent = left.filter(({ inPlaceOf }) => inPlaceOf !== undefined);
  const bytes = Buffer.alloc(LEFT_BYTES * left.length + ID_BYTES * lent.length);
  let at = 0;
  for (const { id, scope, revision, nearby, inPlaceOf } of left) {
    writeUuid(bytes, at, id);
    at = bytes.writeUInt8(scope, at + ID_BYTES);
    at = bytes.writeUIntBE(revision, at, REVISION_BYTES);
    at = bytes.writeUInt32BE(nearby, at);
    at = bytes.writeUInt8(Number(inPlaceOf !== undefined), at);
    if (inPlaceOf === undefined) continue;
    writeUuid(bytes, at, inPlaceOf);
    at += ID_BYTES;
  }
  return bytes;
}
