/** The port of the ledger: finished erasures, kept where no snapshot of the store contains them. */
import type { StoredErasure } from './erasure-store.js';

/** Finished erasures, by id. */
export interface Ledger {
  /** The entries that count, those of tenants first. */
  readonly entries: readonly StoredErasure[];
  /** Adds finished erasures. Resolves once they are durable. */
  add(erasures: readonly StoredErasure[]): Promise<void>;
}
