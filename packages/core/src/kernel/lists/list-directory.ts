/**
 * Answers a directory list: reads a page and one item more, shows the page, and binds its cursor.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ReadTx, Transactions } from '../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { type ListIdentity, decodeCursor, encodeCursor, staleCursor } from './cursor.js';
import { type DirectoryPage, directoryPage } from './page.js';

/** The source of a list. */
export interface DirectoryList<R, T> {
  readonly identity: ListIdentity;
  /** Returns records in order after a position. */
  readonly read: (
    tx: ReadTx,
    page: { readonly after: string | undefined; readonly limit: number },
  ) => R[];
  readonly show: (tx: ReadTx, record: R) => T;
  readonly placeOf: (record: R) => string;
  /** Returns whether a text can be a position. Cursors can be forged, so any text may arrive. */
  readonly isPlace: (text: string) => boolean;
}

/**
 * Returns one page of a directory.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another list.
 */
export async function listDirectory<R, T>(
  store: Transactions,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  { identity, read, show, placeOf, isPlace }: DirectoryList<R, T>,
): Promise<{ contract_version: typeof CONTRACT_VERSION; page: DirectoryPage<T> }> {
  const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
  if (after !== undefined && !isPlace(after)) {
    throw new AgentkeepError('invalid_request', { members: [staleCursor] });
  }
  return store.read((tx) => ({
    contract_version: CONTRACT_VERSION,
    page: directoryPage(
      read(tx, { after, limit: limit + 1 }),
      limit,
      (record) => show(tx, record),
      (last) => encodeCursor(identity, placeOf(last)),
    ),
  }));
}
