/**
 * The note by which the body of a transaction asks to be refused where it would take a tenant over
 * its storage quota (docs/contract/quotas.md#quo-8).
 */
import type { WriteTx } from '../../storage/store/store.js';

class GrowthLimit {
  readonly isWithinQuota = true;
}

const limit = new GrowthLimit();

/** Asks that the transaction fail with `quota_exceeded` where it goes beyond a quota. */
export function keepWithinQuota(tx: WriteTx): void {
  tx.notes.push(limit);
}

/** Returns whether a body with these notes must keep within quotas. */
export function isKeptWithinQuota(notes: readonly object[]): boolean {
  return notes.some((note) => note instanceof GrowthLimit);
}
