/** Counts what a tenant stores, a bounded number of entries at a time. */
import { afterKey, afterPrefix, encodeKey } from '../../storage/store/key.js';
import type { Entry, ReadTx, WriteTx } from '../../storage/store/store.js';
import type { Families } from '../../storage/families/families.js';
import { addUse, type StorageUse } from './quota-policy.js';
import { findQuota, putQuota } from '../stored/quota-store.js';

/** Entries of a slice: few enough to delay other work by milliseconds only. */
export const USE_SLICE_ENTRIES = 256;
/** Bytes after which a slice ends, whatever its number of entries. */
const SLICE_BYTES = 1_048_576;

/** What is stored between two keys of a tenant. */
interface UseSlice extends StorageUse {
  /** The key before which everything is counted; null after the last key of the tenant. */
  readonly end: Uint8Array | null;
}

/** Where to count, and how many entries. */
interface UseSpan {
  readonly tenantId: string;
  readonly from: Uint8Array;
  readonly limit: number;
}

/** Returns the least key that a tenant can have. */
export function firstKeyOf(tenantId: string): Uint8Array {
  return encodeKey(tenantId, 0, [], []);
}

/**
 * Counts about `limit` entries of a tenant from a key on. Walks one subspace at a time, so that a
 * store which locks what it walks keeps other tenants out of it. `visit` gets each entry with the
 * number of its family.
 */
export function countUseSlice(
  tx: ReadTx,
  { all }: Families,
  { tenantId, from, limit }: UseSpan,
  visit?: (family: number, entry: Entry) => void,
): UseSlice {
  let use: StorageUse = { entries: 0, bytes: 0 };
  for (const { number } of all) {
    const start = encodeKey(tenantId, number, [], []);
    const to = afterPrefix(start);
    if (Buffer.compare(to, from) <= 0) continue;
    const position = Buffer.compare(start, from) < 0 ? from : start;
    const left = limit - use.entries;
    for (const entry of tx.range({ from: position, to, limit: left })) {
      const { key, value } = entry;
      use = addUse(use, { entries: 1, bytes: key.length + value.length });
      const isFull = use.entries >= limit || use.bytes >= SLICE_BYTES;
      // Take the key first: a visit may invalidate the borrowed bytes.
      const end = isFull ? afterKey(key) : undefined;
      visit?.(number, entry);
      if (end !== undefined) return { ...use, end };
    }
  }
  return { ...use, end: null };
}

/** Adds a slice to the stored use of a tenant. Returns whether more is to be counted. */
export function countNext(
  tx: WriteTx,
  families: Families,
  tenantId: string,
  limit = USE_SLICE_ENTRIES,
): boolean {
  const quota = findQuota(tx, tenantId);
  if (quota === undefined || quota.countedTo === null) return false;
  const { end, ...added } = countUseSlice(tx, families, {
    tenantId,
    from: quota.countedTo,
    limit,
  });
  putQuota(tx, { ...quota, ...addUse(quota, added), countedTo: end });
  return end !== null;
}
