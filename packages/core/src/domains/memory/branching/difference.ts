/** How a record of a branch differs from its scope (docs/contract/branches.md#bra-17). */
import { baseOf, type Namespace } from '../../../kernel/access/namespace.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findMerged, outsideRevision } from '../branch/merge-store.js';
import type { Author } from '../documents/author-schema.js';
import { findRecord, idOfName } from '../record/memory-store.js';
import type { StoredRecord } from '../record/record-layout.js';
import { isContentKept } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import { findRevision } from '../revision/revision-store.js';

/** What a branch changed: a record, or nothing but an old revision that it redacted. */
export type Difference = RecordDifference | RedactionDifference;

/** A superseded revision of which the branch took the payload away, and that has it outside. */
export interface RedactionDifference {
  readonly kind: 'redaction';
  /** The namespace in the branch. */
  readonly namespace: Namespace;
  readonly recordId: string;
  /** Its number outside. */
  readonly baseRevision: number;
  /** Its number in the branch. */
  readonly branchRevision: number;
  /** As it is outside. */
  readonly base: StoredRecord;
  /** What is current outside now. */
  readonly current: StoredRecord;
  /** Who redacted it. */
  readonly author: Author;
  readonly conflict: null;
}

/** A record of a branch that differs. */
export interface RecordDifference {
  readonly kind: 'record';
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
): RecordDifference | undefined {
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
  return { kind: 'record', namespace, recordId, baseRevision, branch, current, conflict };
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

/** Returns the revision in the branch that a difference is about. */
export function branchRevisionOf(difference: Difference): number {
  return difference.kind === 'record' ? difference.branch.revision : difference.branchRevision;
}

/** Returns the record that the branch changed, if its content is still kept. */
export function baseRecord(
  tx: ReadTx,
  { namespace, recordId, baseRevision, current }: RecordDifference,
): StoredRecord | undefined {
  if (baseRevision === 0) return undefined;
  if (current?.revision === baseRevision) return current;
  const old = findRevision(tx, { namespace: baseOf(namespace), recordId }, baseRevision);
  return old === undefined || old.redaction !== null ? undefined : old.record;
}

/**
 * Returns the redaction of a revision in a branch, if its payload is still outside: not if that was
 * redacted or deleted there too, or if the revision was in the branch only.
 */
export function redactionOf(
  tx: ReadTx,
  namespace: Namespace,
  { recordId, revision }: { readonly recordId: string; readonly revision: number },
  nowMs: number,
): RedactionDifference | undefined {
  const redaction = findRevision(tx, { namespace, recordId }, revision)?.redaction;
  const merged = findMerged(tx, namespace, recordId);
  const baseRevision = merged && outsideRevision(merged, revision);
  const outside = { namespace: baseOf(namespace), recordId };
  const current = findRecord(tx, outside.namespace, recordId);
  if (baseRevision === undefined || current === undefined) return undefined;
  if (redaction === undefined || redaction === null) return undefined;
  const isGone = !isContentKept(current, retentionOf(tx, outside.namespace), nowMs);
  const base =
    current.revision === baseRevision ? current : findRevision(tx, outside, baseRevision)?.record;
  if (isGone || base === undefined || base.payload === null) return undefined;
  const { author } = redaction;
  const numbers = { baseRevision, branchRevision: revision };
  return {
    kind: 'redaction',
    namespace,
    recordId,
    ...numbers,
    base,
    current,
    author,
    conflict: null,
  };
}
