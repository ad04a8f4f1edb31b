/** Pages of what a namespace has of one kind, in the order of stored keys. */
import * as v from 'valibot';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import type { DirectoryPage } from '../../../kernel/lists/page.js';
import type { KeySpan } from '../key-span.js';
import type { ReadTx, Transactions } from '../../../storage/store/store.js';
import type { CONTRACT_VERSION } from '../../../contract/version.js';
import { learningText } from '../policy/schema.js';

/** What is listed. */
export interface NamespaceList<R, T> {
  readonly namespace: Namespace;
  /** Names the list within the namespace: its kind, and whose entries they are. */
  readonly of: readonly string[];
  readonly read: (tx: ReadTx, span: KeySpan) => R[];
  readonly show: (row: R) => T;
  readonly idOf: (row: R) => string;
}

/**
 * Returns one page.
 *
 * @throws {AgentkeepError} `invalid_request` for a cursor of another list.
 */
export function listNamespace<R, T>(
  store: Transactions,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
  { namespace: { tenantId, digest }, of, read, show, idOf }: NamespaceList<R, T>,
): Promise<{ contract_version: typeof CONTRACT_VERSION; page: DirectoryPage<T> }> {
  const place = Buffer.from(digest).toString('hex');
  const page = { limit, cursor: cursor ?? undefined };
  return listDirectory(store, page, {
    identity: { list: JSON.stringify(['learning', place, ...of]), tenantId },
    read,
    show: (_tx, row) => show(row),
    placeOf: idOf,
    isPlace: (text) => v.is(learningText(), text),
  });
}
