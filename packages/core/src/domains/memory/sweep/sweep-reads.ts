/** Sweeps counts of reads that are no longer kept. */
import { findNamespace } from '../../../kernel/access/namespace.js';
import { copyBytes } from '../../../storage/store/bytes.js';
import { afterKey } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { digestIn, firstDayKept, sweptReads, trimReads } from '../record/read-store.js';
import { retentionOf } from '../retention/retention-store.js';
import { REMOVED_AT_ONCE, type Slice, SLICE_ENTRIES, visitSlice } from './sweep-slice.js';

/** Returns the keys of the next counts of which some days are no longer kept. */
export function endedReads(
  tx: ReadTx,
  tenantId: string,
  { from, nowMs }: { readonly from: Uint8Array | undefined; readonly nowMs: number },
): Slice<Uint8Array> {
  const entries = sweptReads(tx, tenantId, { from, limit: SLICE_ENTRIES });
  const visited = visitSlice(
    entries,
    ({ key, digest, reads }) =>
      // A damaged entry stays for inspection.
      reads && { key: copyBytes(key), digest: copyBytes(digest), oldest: reads.days[0]?.[0] ?? 0 },
  );
  const found: Uint8Array[] = [];
  for (const { key, digest, oldest } of visited.found) {
    if (oldest >= firstDayOf(tx, tenantId, digest, nowMs)) continue;
    found.push(key);
    if (found.length === REMOVED_AT_ONCE) return { found, next: afterKey(key) };
  }
  return { found, next: visited.next };
}

/** Removes from some counts the days that are not kept now. */
export function removeEndedReads(
  tx: WriteTx,
  tenantId: string,
  { keys, nowMs }: { readonly keys: readonly Uint8Array[]; readonly nowMs: number },
): void {
  for (const key of keys) {
    trimReads(tx, tenantId, key, firstDayOf(tx, tenantId, digestIn(key), nowMs));
  }
}

/** Counts of a namespace that is gone are not kept. */
function firstDayOf(tx: ReadTx, tenantId: string, digest: Uint8Array, nowMs: number): number {
  const parts = findNamespace(tx, tenantId, digest);
  if (parts === undefined) return Infinity;
  return firstDayKept(retentionOf(tx, { tenantId, digest, parts }).readDays, nowMs);
}
