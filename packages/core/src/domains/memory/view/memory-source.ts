/** What searches and reads of one namespace take records from: its own entries, or a view of it. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { HeldTexts, ScanMemory } from '../../../kernel/ports/memory-scan.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { Measured } from '../../../storage/store/subspace.js';
import { findNamed, type NamedRecord, ofRevision, recordsUnder } from '../record/memory-store.js';
import type { StoredRecord } from '../record/record-layout.js';

/** The records of a namespace, as a caller sees them. */
export interface MemorySource {
  readonly scan: ScanMemory;
  /** Returns the record of a search entry that {@link scan} found in the same transaction. */
  readonly ofEntry: (tx: ReadTx, recordId: string, revision: number) => Measured<StoredRecord>;
  /** Returns a record or tombstone, or `undefined`. */
  readonly find: (tx: ReadTx, recordId: string) => Measured<StoredRecord> | undefined;
  /**
   * Returns the record with a name, expired or not, or `undefined`: in a view only if it still has
   * the name.
   */
  readonly findNamed: (tx: ReadTx, name: string) => NamedRecord | undefined;
  /** Its long texts; absent where none are held. */
  readonly texts?: HeldTexts | undefined;
  /** Looks for a former holder of a name, from one changed record on; absent outside of views. */
  readonly findFormer?: (name: string, from: number, most: number) => FormerHolder;
  /** Returns the revision of a record at the position, branches aside; 0 for none. */
  readonly revisionAt?: (recordId: string) => number;
  /** Whether changed records have to be looked up before a search. */
  readonly isLearned?: (nowMs: number) => boolean;
  /** Looks up changed records, from one of them on; returns where to go on. */
  readonly learn?: (from: number, most: number) => number;
  /** How many records of the view are left out. */
  readonly missing?: () => number;
}

/** A former holder of a name, if there was one among the changed records, and where to go on. */
export interface FormerHolder {
  readonly found: NamedRecord | undefined;
  /** Whether the revision of one of them is no longer kept. */
  readonly isGone: boolean;
  readonly next: number;
}

/** Returns the source of a namespace as it is. */
export function currentSource(
  namespace: Namespace,
  scan: ScanMemory,
  texts?: HeldTexts,
): MemorySource {
  const find = recordsUnder(namespace);
  return {
    scan,
    texts,
    ofEntry: (tx, recordId, revision) => ofRevision(find(tx, recordId), revision),
    find,
    findNamed: (tx, name) => findNamed(tx, namespace, name),
  };
}
