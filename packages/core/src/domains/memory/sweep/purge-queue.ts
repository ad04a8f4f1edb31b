/** Empties the queue of records whose revisions go. */
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { findRecordState } from '../record/memory-store.js';
import { firstDuePurge, revisionKeys } from '../revision/revision-store.js';
import { recordInKey } from '../record/keyed-record.js';
import { REMOVED_AT_ONCE } from './sweep-slice.js';

/** A due entry of the queue, and the first revisions that it names. */
export interface DuePurge {
  readonly key: Uint8Array;
  readonly revisions: readonly Uint8Array[];
}

/** Returns the first due entry of the queue of a tenant, or `undefined`. */
export function nextPurge(tx: ReadTx, tenantId: string, nowMs: number): DuePurge | undefined {
  const key = firstDuePurge(tx, tenantId, nowMs);
  if (key === undefined) return undefined;
  const { digest, recordId } = recordInKey(key);
  const recordKey = { namespace: { tenantId, digest }, recordId };
  return { key, revisions: revisionKeys(tx, recordKey, REMOVED_AT_ONCE) };
}

/** Removes the revisions of an entry, and the entry with the last of them; returns their number. */
export function removePurged(
  tx: WriteTx,
  tenantId: string,
  { purge, nowMs }: { readonly purge: DuePurge; readonly nowMs: number },
): number {
  const { key, revisions } = purge;
  const { digest, recordId } = recordInKey(key);
  const state = findRecordState(tx, { tenantId, digest }, recordId)?.value;
  // A record that was restored meanwhile keeps its revisions, and so does one that is kept.
  const isOver = state === undefined || (state.isDeleted && (state.keptUntilMillis ?? 0) <= nowMs);
  // Another server may have removed some.
  const removed = isOver ? revisions.filter((each) => tx.get(each) !== undefined) : [];
  for (const each of removed) tx.remove(each);
  if (!isOver || revisions.length < REMOVED_AT_ONCE) tx.remove(key);
  return removed.length;
}
