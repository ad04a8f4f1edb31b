/** How a record of a branch differs from its scope (docs/contract/branches.md#bra-17). */
import { baseOf, type Namespace } from '../../access/namespace.js';
import type { ReadTx } from '../../storage/store/store.js';
import { findMerged } from '../branch/merge-store.js';
import { findRecord, idOfName } from '../record/memory-store.js';
import type { StoredRecord } from '../record/record-layout.js';
import { findRevision } from '../revision/revision-store.js';

/** A record of a branch that differs. */
export interface Difference {
  /** The namespace in the branch. */
  readonly namespace: Namespace;
  readonly recordId: string;
  /** The revision that the branch changed; 0 where there was none. */
  readonly baseRevision: number;
  readonly branch: StoredRecord;
  /** What is outside now; `undefined` where nothing is. */
  readonly current: StoredRecord | undefined;
  readonly conflict: 'changed' | 'name_taken' | null;
}

/** Returns the revision of a record at the position of a branch; 0 for none. */
export type RevisionAt = (recordId: string) => number;

/** Returns how a record of a branch differs, or `undefined` if it doesn't. */
export function differenceOf(
  tx: ReadTx,
  namespace: Namespace,
  recordId: string,
  revisionAt: RevisionAt,
): Difference | undefined {
  const branch = findRecord(tx, namespace, recordId);
  if (branch === undefined) return undefined;
  const merged = findMerged(tx, namespace, recordId);
  const baseRevision = merged?.outside ?? revisionAt(recordId);
  if (branch.revision === (merged?.ofBranch ?? baseRevision)) return undefined;
  const current = findRecord(tx, baseOf(namespace), recordId);
  const isChanged = (current?.revision ?? 0) !== baseRevision;
  // Made, or restored, and deleted again.
  const wasThere = baseRevision > 0 && (isChanged || current?.payload !== null);
  if (branch.payload === null && !wasThere) return undefined;
  const conflict = isChanged ? 'changed' : nameConflict(tx, namespace, recordId, branch);
  return { namespace, recordId, baseRevision, branch, current, conflict };
}

/** A name is taken if another record has it outside that the branch doesn't delete. */
function nameConflict(
  tx: ReadTx,
  namespace: Namespace,
  recordId: string,
  { name, payload }: StoredRecord,
): 'name_taken' | null {
  if (name === null || payload === null) return null;
  const holder = idOfName(tx, baseOf(namespace), name);
  if (holder === undefined || holder === recordId) return null;
  const inBranch = findRecord(tx, namespace, holder);
  return inBranch !== undefined && inBranch.payload === null ? null : 'name_taken';
}

/** Returns the record that the branch changed, if its content is still kept. */
export function baseRecord(
  tx: ReadTx,
  { namespace, recordId, baseRevision, current }: Difference,
): StoredRecord | undefined {
  if (baseRevision === 0) return undefined;
  if (current?.revision === baseRevision) return current;
  const old = findRevision(tx, { namespace: baseOf(namespace), recordId }, baseRevision);
  return old === undefined || old.redaction !== null ? undefined : old.record;
}
