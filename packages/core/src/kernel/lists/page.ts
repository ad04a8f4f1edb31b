/** Pages of lists, and the parameters that ask for one. */
import * as v from 'valibot';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
  HISTORY_EVENTS_MAX,
  INTEGER_MAX,
  PAGE_BYTES_MAX,
} from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { boundedInteger, contractVersion } from '../../contract/schema/number.js';
import { allOrFirstFailure } from '../../storage/store/all-or-first-failure.js';
import type { HistoryPart } from '../../storage/store/history.js';
import { decodeCursor, encodeCursor, type ListIdentity, staleCursor } from './cursor.js';

/** Items and the cursor of the next page, null when there is none. */
export interface DirectoryPage<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

/**
 * Makes a page of rows that were read with one more than `limit`. The page ends early before an
 * item that would take it over {@link PAGE_BYTES_MAX}, but never without an item.
 */
export function directoryPage<R, T>(
  rows: readonly R[],
  limit: number,
  show: (row: R) => T,
  cursorAfter: (last: R) => string,
): DirectoryPage<T> {
  const items: T[] = [];
  let bytes = 0;
  allOrFirstFailure(rows.slice(0, limit), (row) => {
    if (bytes > PAGE_BYTES_MAX) return;
    const item = show(row);
    bytes += jsonBytes(item);
    if (bytes <= PAGE_BYTES_MAX || items.length === 0) items.push(item);
  });
  const last = rows[items.length - 1];
  const hasMore = rows.length > items.length && last !== undefined;
  return { items, next_cursor: hasMore ? cursorAfter(last) : null };
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}

/** The query parameters of a list of a tenant. */
export const PageParameters = closed({
  contract_version: contractVersion(),
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

/** Query of an operation that shows one resource with its history. */
export const HistoryParameters = closed({
  limit: v.optional(boundedInteger(1, HISTORY_EVENTS_MAX), HISTORY_EVENTS_MAX),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

/** The member of an answer that leads to older events. Absent where there are none. */
export const olderEvents = {
  next_cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
};

/** The resource whose history is shown. */
interface HistoryOwner {
  /** Tenant part of its keys. */
  readonly authority: string;
  readonly id: string;
}

/**
 * Returns the part of a history that a query asks for.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another history.
 */
export function historyPart(
  owner: HistoryOwner,
  { limit, cursor }: v.InferOutput<typeof HistoryParameters>,
): HistoryPart {
  if (cursor === undefined) return { limit };
  const before = Number(decodeCursor(identityOf(owner), cursor));
  // Anyone can forge the digest of a cursor, so its position is checked.
  if (!Number.isInteger(before) || before < 2 || before > INTEGER_MAX) {
    throw new AgentkeepError('invalid_request', { members: [staleCursor] });
  }
  return { limit, before };
}

/** Returns the cursor of the events before a shown part, if there are any. */
export function cursorOfOlder(
  owner: HistoryOwner,
  [oldest]: readonly { readonly revision: number }[],
): { next_cursor?: string } {
  if (oldest === undefined || oldest.revision === 1) return {};
  return { next_cursor: encodeCursor(identityOf(owner), String(oldest.revision)) };
}

function identityOf({ authority, id }: HistoryOwner): ListIdentity {
  return { list: `history ${id}`, tenantId: authority };
}
