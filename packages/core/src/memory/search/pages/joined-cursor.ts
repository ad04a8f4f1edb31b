/** Cursors of the order `hybrid`: the first matches by words and by distance, and a position. */
import { SEARCH_RANKED_MAX, SEARCH_WORDS_MAX } from '../../../contract/limits.js';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../../runtime/lists/cursor.js';
import type { JoinedProgress } from './joined-page.js';
import type { RankedMatch } from '../matching/top-matches.js';
import { idBytes, idOf, rankBytes, rankOf, stale } from './search-cursor.js';

const POSITION = 1;
const PASSED = 2;
const ID_BYTES = 16;
const RANK_BYTES = 8 + ID_BYTES;

const FIRST: JoinedProgress = {
  position: undefined,
  passed: undefined,
  byWords: [],
  byDistance: [],
};

/**
 * Returns how far a joined page has got.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another search.
 */
export function joinedProgressIn(
  list: ListIdentity,
  cursor: string | null,
  scopes: number,
): JoinedProgress {
  if (cursor === null) return FIRST;
  const bytes = Buffer.from(decodeCursor(list, cursor), 'base64url');
  let at = 0;
  const next = (size: number) => {
    if (at + size > bytes.length) throw stale();
    at += size;
    return bytes.subarray(at - size, at);
  };
  const flag = next(1).readUInt8();
  // Anyone can forge the digest of a cursor, so its parts are checked.
  if (flag !== POSITION && flag !== PASSED) throw stale();
  const position = flag === POSITION ? idOf(next(ID_BYTES), 0) : undefined;
  const passed = flag === PASSED ? next(1).readUInt8() : undefined;
  const byWords: RankedMatch[] = [];
  const byDistance: RankedMatch[] = [];
  const scopeIn = (byte: Buffer) => {
    const scope = byte.readUInt8();
    if (scope >= scopes) throw stale();
    return scope;
  };
  for (let count = next(1).readUInt8(); count > 0; count -= 1) {
    const found = next(1).readUInt8();
    if (found === 0 || found > SEARCH_WORDS_MAX) throw stale();
    byWords.push({ key: 0 - found, id: idOf(next(ID_BYTES), 0), scope: scopeIn(next(1)) });
  }
  while (at < bytes.length)
    byDistance.push({ ...rankOf(next(RANK_BYTES)), scope: scopeIn(next(1)) });
  if (Math.max(byWords.length, byDistance.length) > SEARCH_RANKED_MAX) throw stale();
  return { position, passed, byWords, byDistance };
}

/** Returns the cursor that goes on with a joined page. */
export function joinedCursor(
  list: ListIdentity,
  { position, passed = 0, byWords, byDistance }: JoinedProgress,
): string {
  const parts: Buffer[] = [
    position === undefined
      ? Buffer.from([PASSED, passed])
      : Buffer.concat([Buffer.from([POSITION]), idBytes(position)]),
    Buffer.from([byWords.length]),
  ];
  for (const { key, id, scope } of byWords) {
    parts.push(Buffer.from([0 - key]), idBytes(id), Buffer.from([scope]));
  }
  for (const match of byDistance) parts.push(rankBytes(match), Buffer.from([match.scope]));
  return encodeCursor(list, Buffer.concat(parts).toString('base64url'));
}
