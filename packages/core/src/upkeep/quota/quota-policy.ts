/** Decides whether a change of what a tenant stores keeps within its quota. */

/** The bounds of a tenant; null means unbounded. */
export interface QuotaLimits {
  readonly maxEntries: number | null;
  readonly maxBytes: number | null;
}

/** What a tenant stores: entries of all kinds, and the bytes of their keys and values. */
export interface StorageUse {
  readonly entries: number;
  readonly bytes: number;
}

/** Whether there is a bound at all. */
export function isBounded({ maxEntries, maxBytes }: QuotaLimits): boolean {
  return maxEntries !== null || maxBytes !== null;
}

/** Returns a use with another one added. */
export function addUse(use: StorageUse, added: StorageUse): StorageUse {
  return { entries: use.entries + added.entries, bytes: use.bytes + added.bytes };
}

/**
 * Returns whether a change adds to a total that is above the quota afterwards. A change that adds
 * nothing never exceeds the quota, even if the quota was lowered below the use.
 */
export function exceedsQuota(
  { maxEntries, maxBytes }: QuotaLimits,
  use: StorageUse,
  added: StorageUse,
): boolean {
  const isOver = (number: number, by: number, max: number | null) =>
    max !== null && by > 0 && number + by > max;
  return isOver(use.entries, added.entries, maxEntries) || isOver(use.bytes, added.bytes, maxBytes);
}
