/** Writes what a record became in a branch to its scope, as one command would, or a redaction. */
import { baseOf, ensureNamespace } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { NewId } from '../../../kernel/ports/ids.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { findMerged, noteMerged } from '../branch/merge-store.js';
import type { Author } from '../documents/author-schema.js';
import { copyRecord, findRecord, idOfName, sealRecord } from '../record/memory-store.js';
import type { StoredRecord } from '../record/record-layout.js';
import { searchPartsOf } from '../record/search-entry.js';
import { findSources } from '../record/source-store.js';
import { retentionOf } from '../retention/retention-store.js';
import { superseded } from '../revision/history-write.js';
import { findRevision } from '../revision/revision-store.js';
import {
  createdRecord,
  deletedRecord,
  nextRevision,
  type Outcome,
  type PlannedWrite,
  replacedRecord,
  storeWrite,
  type WriteContext,
} from '../writing/memory-write.js';
import { redactedRecord } from '../writing/revision-write.js';
import { endedByMerge } from '../writing/superseding-write.js';
import { type Difference, redactionOf } from './difference.js';

/** Who merges, and when. */
export interface Merger {
  readonly author: Author;
  readonly idempotencyKey: string;
  readonly newId: NewId;
  readonly nowMs: number;
}

/** The part of a difference that a merge was decided on. */
export type MergedDifference = Pick<
  Difference,
  'kind' | 'namespace' | 'recordId' | 'baseRevision'
> & {
  readonly branchRevision: number;
};

/**
 * Merges one difference. Its author is that of the branch. Returns `undefined` for a redaction with
 * nothing left to take away.
 *
 * @throws {AgentkeepError} `revision_conflict` when the record is not what was decided on.
 */
export function mergeDifference(
  tx: WriteTx,
  decided: MergedDifference,
  merger: Merger,
): Outcome | undefined {
  return decided.kind === 'record'
    ? mergeRecord(tx, decided, merger)
    : mergeRedaction(tx, decided, merger);
}

function mergeRedaction(
  tx: WriteTx,
  { namespace, recordId, baseRevision, branchRevision }: MergedDifference,
  { nowMs }: Merger,
): Outcome | undefined {
  const found = redactionOf(tx, namespace, { recordId, revision: branchRevision }, nowMs);
  if (found === undefined) return undefined;
  // The merge of the record itself supersedes it first.
  if (found.current.revision === baseRevision) throw conflict();
  const key = { namespace: baseOf(namespace), recordId };
  const revision = findRevision(tx, key, baseRevision);
  if (revision === undefined || found.baseRevision !== baseRevision) throw conflict();
  const redaction = { atMillis: nowMs, author: found.author };
  return storeWrite(tx, key.namespace, redactedRecord(key, revision, redaction), []);
}

function mergeRecord(tx: WriteTx, decided: MergedDifference, merger: Merger): Outcome {
  const { namespace, recordId, baseRevision, branchRevision } = decided;
  const { tenantId, digest } = namespace;
  const base = baseOf(namespace);
  const branch = findRecord(tx, namespace, recordId);
  const isMerged = findMerged(tx, namespace, recordId)?.ofBranch === branchRevision;
  if (branch?.revision !== branchRevision || isMerged) throw conflict();
  const { author: mergedBy } = merger;
  const context = { ...merger, namespace: base, author: branch.author, mergedBy };
  const planned = plannedMerge(tx, branch, { recordId, baseRevision }, context);
  const sources = findSources(tx, tenantId, { digest, recordId, revision: branchRevision });
  ensureNamespace(tx, base);
  const outcome = storeWrite(tx, base, planned, sources);
  noteMerged(tx, namespace, recordId, { ofBranch: branchRevision, outside: outcome.revision });
  return outcome;
}

function plannedMerge(
  tx: WriteTx,
  { payload: inBranch, name, modifiedAtMillis }: StoredRecord,
  { recordId, baseRevision }: Pick<MergedDifference, 'recordId' | 'baseRevision'>,
  context: WriteContext,
): PlannedWrite {
  const { namespace, nowMs } = context;
  const payload = inBranch && endedByMerge(inBranch, { endedAtMillis: modifiedAtMillis, nowMs });
  const retention = retentionOf(tx, namespace);
  const found = copyRecord(tx, namespace, recordId);
  if ((found?.value.revision ?? 0) !== baseRevision) throw conflict();
  if (name !== null && payload !== null) {
    const holder = idOfName(tx, namespace, name);
    if (holder !== undefined && holder !== recordId) throw conflict();
  }
  const current = found && { namespace, recordId, ...found };
  if (payload === null) {
    if (current === undefined) throw conflict();
    return deletedRecord(current, retention, context);
  }
  const content = { payload, parts: searchPartsOf(payload) };
  if (current === undefined) return createdRecord(recordId, content, name, context);
  if (current.value.payload !== null) {
    return replacedRecord(tx, current, content, { retention, context });
  }
  const { next, outcome } = nextRevision(current, 'restored', context);
  return {
    outcome,
    sealed: sealRecord(namespace, recordId, { ...next, payload, name }, content.parts),
    records: 1,
    history: superseded(tx, current, retention, nowMs),
    ...(name === null ? {} : { name: { text: name, isTaken: true } }),
  };
}

function conflict(): AgentkeepError {
  return new AgentkeepError('revision_conflict');
}
