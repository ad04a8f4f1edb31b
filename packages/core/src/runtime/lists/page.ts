/** Pages of directory lists: one item of look-ahead, and at most 4 MiB. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { DIRECTORY_PAGE_BYTES_MAX } from '../../contract/limits.js';
import { CONTRACT_VERSION } from '../../contract/version.js';

/** Items and the cursor of the next page, null when there is none. */
export interface DirectoryPage<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

/**
 * Makes a page of rows that were read with one more than `limit`.
 *
 * @throws {AgentkeepError} `page_too_large` when the response with the page would exceed 4 MiB.
 */
export function directoryPage<R, T>(
  rows: readonly R[],
  limit: number,
  show: (row: R) => T,
  cursorAfter: (last: R) => string,
): DirectoryPage<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  const page = { items: [] as T[], next_cursor: more ? cursorAfter(last) : null };
  let bytes = sizeOf({ contract_version: CONTRACT_VERSION, page });
  for (const row of shown) {
    const item = show(row);
    // A comma joins items; the first has none.
    bytes += sizeOf(item) + (page.items.length === 0 ? 0 : 1);
    if (bytes > DIRECTORY_PAGE_BYTES_MAX) throw new AgentkeepError('page_too_large');
    page.items.push(item);
  }
  return page;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}
