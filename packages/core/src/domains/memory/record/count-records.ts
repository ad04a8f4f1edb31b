/** Counts the records of a namespace. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { trailingUuid } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { openValue } from '../../../storage/store/value.js';
import { memoryRecords } from './memory-store.js';
import { recordStateLayout } from './record-layout.js';

/** What {@link countRecords} found. */
export interface CountedRecords {
  readonly records: number;
  readonly deleted: number;
  /** When the latest of them was written; 0 for none. */
  readonly modifiedAtMillis: number;
  /** The id to go on after; `undefined` at the end. */
  readonly next: string | undefined;
}

/** Counts the next records of a namespace, deleted ones apart, without decoding their content. */
export function countRecords(
  tx: ReadTx,
  { tenantId, digest }: Pick<Namespace, 'tenantId' | 'digest'>,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): CountedRecords {
  const start: [Uint8Array, string] | undefined = after === undefined ? undefined : [digest, after];
  const span = { prefix: [digest] as [Uint8Array], after: start, limit };
  let [found, deleted, modifiedAtMillis] = [0, 0, 0];
  let last: string | undefined;
  for (const { key, value } of memoryRecords.entries(tx, tenantId, span)) {
    const state = openValue(recordStateLayout, key, value);
    found += 1;
    if (state.isDeleted) deleted += 1;
    modifiedAtMillis = Math.max(modifiedAtMillis, state.modifiedAtMillis);
    if (found === limit) last = trailingUuid(key);
  }
  return { records: found - deleted, deleted, modifiedAtMillis, next: last };
}
