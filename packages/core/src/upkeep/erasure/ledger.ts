/** The port of the ledger: finished erasures, kept where no snapshot of the store contains them. */
import type { StoredErasure } from '../stored/erasure-store.js';

/** Finished erasures, by id. */
export interface Ledger {
  /** The entries that count, those of tenants first. */
  readonly entries: readonly StoredErasure[];
  /** Adds finished erasures. Resolves once they are durable. */
  add(erasures: readonly StoredErasure[]): Promise<void>;
  /** Puts the file back as it was written, if it was lost or changed since. */
  putBack(): Promise<void>;
}

/** The finished erasures of a store: of an encrypted one only the ids. */
export interface ErasuresInStore {
  readonly ids: readonly string[];
  readonly erasures: readonly StoredErasure[];
}
