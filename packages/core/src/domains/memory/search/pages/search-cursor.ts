/**
 * Cursors of searches: a position in a search. A cursor is valid for that search only.
 *
 * Reads the parts of a cursor. Anyone can forge the digest of a cursor, so all are checked.
 */
import { certain } from '../../../../contract/certain.js';
import { sha256Text } from '../../../../contract/digest.js';
import { AgentkeepError } from '../../../../contract/errors/agentkeep-error.js';
import { canonicalJson, type JsonValue } from '../../../../contract/schema/json.js';
import { isUuid } from '../../../../contract/schema/uuid.js';
import type { Namespace } from '../../../../kernel/access/namespace.js';
import {
  decodeCursor,
  encodeCursor,
  type ListIdentity,
  staleCursor,
} from '../../../../kernel/lists/cursor.js';
import type { TermCounts } from '../matching/rarity.js';
import type { RankedMatch } from '../matching/top-matches.js';
import type { CountingProgress } from './counting-page.js';
import type { RankedProgress } from './ranked-page.js';

/** Returns the identity of a search for its cursors. All parts of `search` must stay the same. */
export function listOf(search: readonly unknown[], namespaces: readonly Namespace[]): ListIdentity {
  const scopes = namespaces.map(({ parts }) => parts);
  const text = canonicalJson([...search, scopes] as JsonValue);
  const digest = sha256Text(text, 'base64url');
  return { list: `search ${digest}`, tenantId: certain(namespaces[0], 'scope').tenantId };
}

/**
 * Returns the id of the last record before a page, or `undefined` for the first page.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another search.
 */
export function idIn(list: ListIdentity, cursor: string | null): string | undefined {
  if (cursor === null) return undefined;
  const id = decodeCursor(list, cursor);
  // Anyone can forge the digest of a cursor, so its content is checked.
  if (!isId(id)) throw stale();
  return id;
}

/** Returns the cursor of the page after a record. */
export function cursorAfter(list: ListIdentity, recordId: string): string {
  return encodeCursor(list, recordId);
}

const NO_ID = '00000000-0000-0000-0000-000000000000';
const START = 1;
const POSITION = 2;

/** Bytes of an id. */
export const ID_BYTES = 16;
/** Bytes of a key and an id. */
const RANK_BYTES = 8 + ID_BYTES;

/**
 * Returns how far a ranked page has got.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another search.
 */
export function rankedProgressIn(
  list: ListIdentity,
  cursor: string | null,
  bounds: { readonly matches: number; readonly scopes: number },
): RankedProgress {
  if (cursor === null) return FIRST_RANKS;
  return rankedProgressOf(Buffer.from(decodeCursor(list, cursor), 'base64url'), bounds);
}

/** The progress before all ranks. */
export const FIRST_RANKS: RankedProgress = { start: undefined, position: undefined, top: [] };

/** Returns what {@link rankedProgressBytes} wrote. */
function rankedProgressOf(
  bytes: Buffer,
  bounds: { readonly matches: number; readonly scopes: number },
): RankedProgress {
  const reader = new CursorReader(bytes);
  const flags = reader.next(1).readUInt8();
  const start = (flags & START) === 0 ? undefined : rankOf(reader.next(RANK_BYTES));
  const position = (flags & POSITION) === 0 ? undefined : idOf(reader.next(ID_BYTES), 0);
  const top: RankedMatch[] = [];
  while (!reader.isAtEnd) {
    if (top.length === bounds.matches) throw stale();
    top.push(matchIn(reader, bounds.scopes));
  }
  return { start, position, top };
}

/** Returns the cursor that goes on with a ranked page. */
export function rankedCursor(list: ListIdentity, progress: RankedProgress): string {
  return encodeCursor(list, rankedProgressBytes(progress).toString('base64url'));
}

function rankedProgressBytes({ start, position, top }: RankedProgress): Buffer {
  const flags = (start === undefined ? 0 : START) | (position === undefined ? 0 : POSITION);
  const parts: Buffer[] = [Buffer.from([flags])];
  if (start !== undefined) parts.push(rankBytes(start));
  if (position !== undefined) parts.push(idBytes(position));
  for (const match of top) parts.push(matchBytes(match));
  return Buffer.concat(parts);
}

const COUNTING = 1;
const COUNTED = 2;
/** Bytes of a count. */
export const COUNT_BYTES = 4;

/** How far a page by rarity has got: with the counting, or once all matches are counted. */
type RarityProgress =
  | (CountingProgress & { readonly ranks?: never })
  | { readonly counts: TermCounts; readonly ranks: RankedProgress };

/**
 * Returns how far a page by rarity has got.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another search.
 */
export function rarityProgressIn(
  list: ListIdentity,
  cursor: string | null,
  bounds: { readonly terms: number; readonly matches: number; readonly scopes: number },
): RarityProgress {
  if (cursor === null) return { position: undefined, counts: noCounts(bounds.terms) };
  const bytes = Buffer.from(decodeCursor(list, cursor), 'base64url');
  const countsEnd = 1 + COUNT_BYTES * (bounds.terms + 1);
  if (bytes.length < countsEnd) throw stale();
  const counts = countsIn(bytes.subarray(1, countsEnd));
  const rest = bytes.subarray(countsEnd);
  if (bytes[0] === COUNTED && rest.length > 0)
    return { counts, ranks: rankedProgressOf(rest, bounds) };
  if (bytes[0] !== COUNTING || rest.length !== ID_BYTES) throw stale();
  return { counts, position: idOf(rest, 0) };
}

/** Returns the cursor that goes on with a page by rarity. */
export function rarityCursor(list: ListIdentity, progress: RarityProgress): string {
  const counts = countBytes(progress.counts);
  const parts =
    progress.ranks === undefined
      ? [Buffer.from([COUNTING]), counts, idBytes(progress.position ?? '')]
      : [Buffer.from([COUNTED]), counts, rankedProgressBytes(progress.ranks)];
  return encodeCursor(list, Buffer.concat(parts).toString('base64url'));
}

/** Returns the number of matches and those of their terms. */
export function countBytes({ matches, records }: TermCounts): Buffer {
  const bytes = Buffer.alloc(COUNT_BYTES * (records.length + 1));
  [matches, ...records].forEach((count, at) => bytes.writeUInt32BE(count, COUNT_BYTES * at));
  return bytes;
}

/** Returns what {@link countBytes} wrote. */
export function countsIn(bytes: Buffer): TermCounts {
  const records: number[] = [];
  for (let at = COUNT_BYTES; at < bytes.length; at += COUNT_BYTES) {
    records.push(bytes.readUInt32BE(at));
  }
  return { matches: bytes.readUInt32BE(), records };
}

/** Returns key and id in 24 bytes. */
function rankBytes({ key, id }: Pick<RankedMatch, 'key' | 'id'>): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(key);
  return Buffer.concat([bytes, idBytes(id)]);
}

/** Returns what {@link rankBytes} wrote. */
function rankOf(bytes: Buffer): { readonly key: number; readonly id: string } {
  const key = bytes.readDoubleBE();
  if (Number.isNaN(key)) throw stale();
  return { key, id: idOf(bytes, 8) };
}

/** Returns key, id and index of the scope in 25 bytes. */
export function matchBytes(match: RankedMatch): Buffer {
  return Buffer.concat([rankBytes(match), Buffer.from([match.scope])]);
}

/** Returns what {@link matchBytes} wrote, for a search of some scopes. */
export function matchIn(reader: CursorReader, scopes: number): RankedMatch {
  const rank = rankOf(reader.next(RANK_BYTES));
  return { ...rank, scope: reader.scope(scopes) };
}

/** Returns the id of the last entry examined in 16 bytes; zeros before the first one. */
export function positionBytes(position: string | undefined): Buffer {
  return idBytes(position ?? NO_ID);
}

/** Returns what {@link positionBytes} wrote. */
export function positionIn(reader: CursorReader): string | undefined {
  const id = idOf(reader.next(ID_BYTES), 0);
  return id === NO_ID ? undefined : id;
}

/** Returns the counts before the first match. */
export function noCounts(terms: number): TermCounts {
  return { matches: 0, records: Array.from({ length: terms }, () => 0) };
}

/** Returns an id in 16 bytes. */
export function idBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** Returns what {@link idBytes} wrote. */
export function idOf(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + ID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function isId(text: string): boolean {
  return isUuid(text) && text === text.toLowerCase();
}

/** Reads bytes from their start to their end. */
export class CursorReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Whether all bytes were read. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /**
   * Returns the next bytes.
   *
   * @throws {AgentkeepError} `invalid_request` if fewer are left.
   */
  next(size: number): Buffer {
    const end = this.#at + size;
    if (end > this.#bytes.length) throw stale();
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  /**
   * Returns the index of one of the scopes of a search.
   *
   * @throws {AgentkeepError} `invalid_request` for an index beyond them.
   */
  scope(scopes: number): number {
    const scope = this.next(1).readUInt8();
    if (scope >= scopes) throw stale();
    return scope;
  }
}

/** Returns the error for a cursor of another search. */
export function stale(): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [staleCursor] });
}
