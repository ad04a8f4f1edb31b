/** Finds and removes records that expired so long ago that they are gone. */
import { copyBytes } from '../../../storage/store/bytes.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { ifReadable } from '../../../storage/store/value.js';
import {
  findRecordState,
  removeRecord,
  sweptEntries,
  visibleUntil,
} from '../record/memory-store.js';
import { isLongExpired } from '../retention/retention-policy.js';
import { sealPurge } from '../revision/revision-store.js';
import { namespacesIn } from './found-retention.js';
import { type KeyedRecord, recordInKey } from '../record/keyed-record.js';
import { type Slice, SLICE_BYTES, SLICE_ENTRIES, visitSlice } from './sweep-slice.js';

/** Records that one transaction removes. Each is decoded for its name. */
const RECORDS_REMOVED_AT_ONCE = 8;

/** A record that was found to be gone, and the key of its search entry. */
export interface GoneRecord extends KeyedRecord {
  readonly key: Uint8Array;
}

/** Returns the next records that expired so long ago that they are gone. */
export function goneRecords(
  tx: ReadTx,
  tenantId: string,
  { from, nowMs }: { readonly from: Uint8Array | undefined; readonly nowMs: number },
): Slice<GoneRecord> {
  const entries = sweptEntries(tx, tenantId, { from, limit: SLICE_ENTRIES });
  const expired = visitSlice(entries, ({ key, visibleUntilMillis }) =>
    Number.isFinite(visibleUntilMillis) && visibleUntilMillis <= nowMs
      ? { key: copyBytes(key), ...recordInKey(key), visibleUntilMillis }
      : undefined,
  );
  const namespaceOf = namespacesIn(tx, tenantId);
  const found: GoneRecord[] = [];
  for (const record of expired.found) {
    const kept = ifReadable(() => namespaceOf(record.digest));
    if (!kept || !isLongExpired(record.visibleUntilMillis, kept.retention, nowMs)) continue;
    if (found.length === RECORDS_REMOVED_AT_ONCE) return { found, next: record.key };
    found.push(record);
  }
  return { found, next: expired.next };
}

/** What a transaction removed. */
export interface RemovedRecords {
  readonly removed: number;
  /** The key from which the next transaction goes on; `undefined` if it removed all. */
  readonly next: Uint8Array | undefined;
}

/** Removes those of some records that are still gone. Their revisions go through the queue. */
export function removeGoneRecords(
  tx: WriteTx,
  tenantId: string,
  { records, nowMs }: { readonly records: readonly GoneRecord[]; readonly nowMs: number },
): RemovedRecords {
  const namespaceOf = namespacesIn(tx, tenantId);
  let removed = 0;
  let bytes = 0;
  for (const { digest, recordId, key } of records) {
    if (bytes >= SLICE_BYTES) return { removed, next: key };
    const { namespace, retention } = namespaceOf(digest);
    const end = visibleUntil(tx, namespace, recordId) ?? Infinity;
    const state = ifReadable(() => findRecordState(tx, namespace, recordId));
    // It may have been revived or deleted meanwhile.
    const isGone = Number.isFinite(end) && isLongExpired(end, retention, nowMs);
    if (!isGone || state === undefined) continue;
    bytes += state.bytes;
    removed += 1;
    removeRecord(tx, namespace, recordId);
    if (state.value.revision === 1) continue;
    const purge = sealPurge({ namespace, recordId }, nowMs);
    tx.put(purge.key, purge.value);
  }
  return { removed, next: undefined };
}
