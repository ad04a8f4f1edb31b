/** Pages of lists: one row of look-ahead, and about 4 MiB at most. */
import { PAGE_BYTES_MAX } from '../../contract/limits.js';

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
  for (const row of rows.slice(0, limit)) {
    const item = show(row);
    bytes += jsonBytes(item);
    if (bytes > PAGE_BYTES_MAX && items.length > 0) break;
    items.push(item);
  }
  const last = rows[items.length - 1];
  const hasMore = rows.length > items.length && last !== undefined;
  return { items, next_cursor: hasMore ? cursorAfter(last) : null };
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}
