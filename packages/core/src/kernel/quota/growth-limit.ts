/**
 * The notes by which the body of a transaction requests a refusal if it would take a tenant over
 * its storage quota (docs/contract/quotas.md#quo-8), and names the entries that can be left out.
 */
import type { WriteTx } from '../../storage/store/store.js';

class GrowthLimit {
  readonly isWithinQuota = true;
}

const limit = new GrowthLimit();

/** Requests that the transaction fail with `quota_exceeded` if it exceeds a quota. */
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
 * Marks a new entry of the transaction as optional: it is left out if it alone would make the
 * transaction exceed a quota.
 */
export function spareEntry(tx: WriteTx, key: Uint8Array): void {
  tx.notes.push(new SpareEntry(key));
}

/** Returns the keys of the optional entries of a body with these notes. */
export function spareKeys(notes: readonly object[]): Uint8Array[] {
  return notes.flatMap((note) => (note instanceof SpareEntry ? [note.key] : []));
}
