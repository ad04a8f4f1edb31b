/**
 * The notes by which the body of a transaction asks to be refused where it would take a tenant over
 * its storage quota (docs/contract/quotas.md#quo-8), and names the entries that it can do without.
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

class SpareEntry {
  readonly key: Uint8Array;

  constructor(key: Uint8Array) {
    this.key = key;
  }
}

/**
 * Says that a new entry of the transaction is left out where it alone would make the transaction go
 * beyond a quota.
 */
export function spareEntry(tx: WriteTx, key: Uint8Array): void {
  tx.notes.push(new SpareEntry(key));
}

/** Returns the keys of the entries that a body with these notes can do without. */
export function spareKeys(notes: readonly object[]): Uint8Array[] {
  return notes.flatMap((note) => (note instanceof SpareEntry ? [note.key] : []));
}
