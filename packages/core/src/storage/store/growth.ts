/**
 * The note by which the body of a transaction says that it adds data. A store that is nearly full
 * refuses such bodies, and goes on with those that take data away or replace it.
 */
import type { WriteTx } from './store.js';

class Growth {
  readonly addsData = true;
}

const growth = new Growth();

/** Notes that the transaction adds data. */
export function noteGrowth(tx: WriteTx): void {
  tx.notes.push(growth);
}

/** Returns whether a body with these notes adds data. */
export function hasGrowth(notes: readonly object[]): boolean {
  return notes.some((note) => note instanceof Growth);
}
