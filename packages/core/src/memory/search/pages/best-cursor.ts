/** Cursors of the order `best_words`: how far the examination has got, or what is left to show. */
import { SEARCH_BEST_MAX } from '../../../contract/limits.js';
import {
  decodeCursorBytes,
  encodeCursorBytes,
  type ListIdentity,
} from '../../../runtime/lists/cursor.js';
import type { BestMatch } from '../matching/best-words.js';
import type { TermCounts } from '../matching/rarity.js';
import type { RankedMatch } from '../matching/top-matches.js';
import {
  COUNT_BYTES,
  countBytes,
  countsIn,
  ID_BYTES,
  idBytes,
  idOf,
  RANK_BYTES,
  rankOf,
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
const NO_ID = '00000000-0000-0000-0000-000000000000';
const REVISION_BYTES = 6;
const NEARBY_BYTES = 4;
const FIRST_BYTES = RANK_BYTES + 1;
const LEFT_BYTES = ID_BYTES + 1 + REVISION_BYTES + NEARBY_BYTES;

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
    const records = Array.from({ length: bounds.terms }, () => 0);
    return { step: 'counting', position: undefined, counts: { matches: 0, records } };
  }
  const bytes = decodeCursorBytes(list, cursor);
  let at = 0;
  const next = (size: number) => {
    if (at + size > bytes.length) throw stale();
    at += size;
    return bytes.subarray(at - size, at);
  };
  const allOf = <T>(read: () => T): T[] => {
    const all: T[] = [];
    while (at < bytes.length) all.push(read());
    if (all.length > SEARCH_BEST_MAX) throw stale();
    return all;
  };
  const scopeIn = () => {
    const scope = next(1).readUInt8();
    if (scope >= bounds.scopes) throw stale();
    return scope;
  };
  // Anyone can forge the digest of a cursor, so its parts are checked.
  const step = STEPS[next(1).readUInt8()];
  const id = idOf(next(ID_BYTES), 0);
  const position = id === NO_ID ? undefined : id;
  const counts = countsIn(next(COUNT_BYTES * (bounds.terms + 1)));
  if (step === 'weighing') {
    const first = allOf(() => ({ ...rankOf(next(RANK_BYTES)), scope: scopeIn() }));
    return { step, position, counts, first };
  }
  if (step === 'ordered') {
    const left = allOf(() => ({
      id: idOf(next(ID_BYTES), 0),
      scope: scopeIn(),
      revision: next(REVISION_BYTES).readUIntBE(0, REVISION_BYTES),
      nearby: next(NEARBY_BYTES).readUInt32BE(),
    }));
    return { step, counts, left };
  }
  if (step === undefined || at < bytes.length) throw stale();
  return { step, position, counts };
}

/** Returns the cursor that goes on with a search. */
export function bestCursor(list: ListIdentity, place: BestPlace): string {
  const { step, counts } = place;
  const position = step === 'ordered' ? undefined : place.position;
  const items = itemsOf(place);
  const head = Buffer.concat([
    Buffer.from([STEPS.indexOf(step)]),
    idBytes(position ?? NO_ID),
    countBytes(counts),
  ]);
  const size = step === 'weighing' ? FIRST_BYTES : LEFT_BYTES;
  const bytes = Buffer.allocUnsafe(head.length + size * items.length);
  head.copy(bytes);
  for (const [index, item] of items.entries()) {
    const at = head.length + size * index;
    if ('key' in item) writeFirst(bytes, at, item);
    else writeLeft(bytes, at, item);
  }
  return encodeCursorBytes(list, bytes);
}

function itemsOf(place: BestPlace): readonly (RankedMatch | BestMatch)[] {
  if (place.step === 'counting') return [];
  return place.step === 'weighing' ? place.first : place.left;
}

function writeFirst(bytes: Buffer, at: number, { key, id, scope }: RankedMatch): void {
  bytes.writeDoubleBE(key, at);
  writeId(bytes, at + RANK_BYTES - ID_BYTES, id);
  bytes.writeUInt8(scope, at + RANK_BYTES);
}

function writeLeft(bytes: Buffer, at: number, { id, scope, revision, nearby }: BestMatch): void {
  writeId(bytes, at, id);
  bytes.writeUInt8(scope, at + ID_BYTES);
  bytes.writeUIntBE(revision, at + ID_BYTES + 1, REVISION_BYTES);
  bytes.writeUInt32BE(nearby, at + LEFT_BYTES - NEARBY_BYTES);
}

function writeId(bytes: Buffer, at: number, id: string): void {
  bytes.write(id.replaceAll('-', ''), at, ID_BYTES, 'hex');
}
