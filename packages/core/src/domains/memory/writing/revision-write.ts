/** The writes of changes that name an old revision: restore and redact. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { type CurrentRecord, superseded } from '../revision/history-write.js';
import { sealRecord } from '../record/memory-store.js';
import {
  type ChangeOf,
  type MemoryWrite,
  nextRevision,
  type PlannedWrite,
  storedRecord,
  type WriteContext,
} from './memory-write.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { AttachedEmbeddings, StoredRecord } from '../record/record-layout.js';
import { isStillOf } from '../spaces/changed-spaces.js';
import { findSources } from '../record/source-store.js';
import { findSpaces } from '../spaces/embedding-spaces.js';
import { namedRecord } from './named-write.js';
import {
  isContentKept,
  isRevisionKept,
  type Retention,
  stateOf,
} from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import { redacted, type Redaction, type StoredRevision } from '../revision/revision-layout.js';
import { findRevision, type RecordKey, sealRevision } from '../revision/revision-store.js';
import type { RecordPayload } from '../documents/schema.js';
import { searchPartsOf } from '../record/search-entry.js';

/** Prepares a new revision with the payload of an old one. */
export function restoreWrite(change: ChangeOf<'restore'>, context: WriteContext): MemoryWrite {
  return (tx) => {
    const retention = retentionOf(tx, context.namespace);
    const current = storedRecord(tx, change.record_id, retention, context);
    if (current.value.revision !== change.expected_revision) {
      throw new AgentkeepError('revision_conflict');
    }
    return restoredRecord(tx, current, change.revision, { retention, context });
  };
}

/** Prepares the removal of the payload of an old revision. */
export function redactWrite(change: ChangeOf<'redact'>, context: WriteContext): MemoryWrite {
  const { record_id: recordId, revision } = change;
  const { author, nowMs } = context;
  const outcome = { recordId, revision, action: 'redacted', committedAtMillis: nowMs } as const;
  return (tx) => {
    const retention = retentionOf(tx, context.namespace);
    const current = storedRecord(tx, recordId, retention, context);
    if (!isContentKept(current.value, retention, nowMs)) {
      throw new AgentkeepError('record_not_found');
    }
    if (revision === current.value.revision) throw new AgentkeepError('current_revision');
    const found = keptRevision(tx, current, revision, { retention, nowMs });
    // The first redaction stays: there is nothing left to take away.
    if (found.redaction !== null) return { outcome, records: 0 };
    requirePayload(found);
    return redactedRecord(current, found, { atMillis: nowMs, author });
  };
}

/** Returns the write that takes the payload of a superseded revision away. */
export function redactedRecord(
  key: RecordKey,
  found: StoredRevision,
  redaction: Redaction,
): PlannedWrite {
  const { revision, payload } = found.record;
  const { recordId } = key;
  const stub = sealRevision(key, revision, redacted(found, redaction));
  return {
    outcome: { recordId, revision, action: 'redacted', committedAtMillis: redaction.atMillis },
    records: 0,
    history: { stored: [stub] },
    ...(payload?.derived_from === undefined ? {} : { unsourced: revision }),
  };
}

function restoredRecord(
  tx: ReadTx,
  current: CurrentRecord,
  revision: number,
  { retention, context }: { readonly retention: Retention; readonly context: WriteContext },
): PlannedWrite {
  const { namespace, nowMs } = context;
  if (!isContentKept(current.value, retention, nowMs)) throw new AgentkeepError('record_not_found');
  const isCurrent = revision === current.value.revision;
  const { record: old, supersededAtMillis } = isCurrent
    ? { record: current.value, supersededAtMillis: nowMs }
    : keptRevision(tx, current, revision, { retention, nowMs });
  const payload = requirePayload({ record: old });
  const isDeleted = current.value.payload === null;
  const name = isDeleted ? nameBefore(tx, current) : current.value.name;
  const isNameTaken = name !== null && isDeleted;
  if (isNameTaken && namedRecord(tx, name, retention, context) !== undefined) {
    throw new AgentkeepError('revision_conflict');
  }
  const { next, outcome } = nextRevision(current, 'restored', context);
  const attached = stillAttached(tx, namespace, old, supersededAtMillis);
  const written = { ...next, payload, name, attached };
  const { tenantId, digest } = namespace;
  const restored = { digest, recordId: current.recordId, revision };
  const sources = payload.derived_from && findSources(tx, tenantId, restored);
  return {
    outcome,
    sealed: sealRecord(namespace, current.recordId, written, searchPartsOf(payload)),
    records: isDeleted ? 1 : 0,
    history: superseded(tx, current, retention, nowMs),
    ...(sources === undefined ? {} : { sources }),
    ...(isNameTaken ? { name: { text: name, isTaken: true } } : {}),
  };
}

/** Returns what was attached to a revision, in spaces that were not dropped since. */
function stillAttached(
  tx: ReadTx,
  namespace: Namespace,
  { attached }: StoredRecord,
  supersededAtMillis: number,
): AttachedEmbeddings | undefined {
  if (attached === undefined) return undefined;
  const spaces = findSpaces(tx, namespace);
  const kept = [...attached].filter(([name]) => isStillOf(spaces, name, supersededAtMillis));
  return kept.length === 0 ? undefined : new Map(kept);
}

/** Returns the name that a deleted record had. */
function nameBefore(tx: ReadTx, current: CurrentRecord): string | null {
  return findRevision(tx, current, current.value.revision - 1)?.record.name ?? null;
}

/**
 * Returns a superseded revision.
 *
 * @throws {AgentkeepError} `record_not_found` when there is none or it is no longer kept.
 */
function keptRevision(
  tx: ReadTx,
  current: CurrentRecord,
  revision: number,
  { retention, nowMs }: { readonly retention: Retention; readonly nowMs: number },
): StoredRevision {
  const found = findRevision(tx, current, revision);
  const { supersededAtMillis = 0 } = found ?? {};
  const superseding = { revision, supersededAtMillis };
  if (
    found === undefined ||
    !isRevisionKept(superseding, stateOf(current.value), retention, nowMs)
  ) {
    throw new AgentkeepError('record_not_found');
  }
  return found;
}

function requirePayload({ record }: Pick<StoredRevision, 'record'>): RecordPayload {
  if (record.payload === null) throw new AgentkeepError('record_not_found');
  return record.payload;
}
