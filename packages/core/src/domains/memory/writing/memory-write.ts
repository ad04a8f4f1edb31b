/**
 * The writes of a memory change. All parts that do not depend on the current record are encoded
 * before the transaction.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { NewId } from '../../../kernel/ports/ids.js';
import { keepWithinQuota } from '../../../kernel/counts/counts.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { noteBranchWrite } from '../branch/merge-store.js';
import { appendChange } from '../journal/change-store.js';
import {
  type CurrentRecord,
  ended as endedHistory,
  type HistoryWrite,
  storeHistory,
  superseded,
} from '../revision/history-write.js';
import {
  copyRecord,
  type SealedRecord,
  sealRecord,
  storeName,
  storeRecord,
} from '../record/memory-store.js';
import type { StoredReceipt } from '../record/receipt-store.js';
import { withoutAttached, type WrittenRecord } from '../record/record-layout.js';
import { endOfNew, isPurgeDue, type Retention } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import {
  type KnownSource,
  noteRedacted,
  removeSources,
  storeSources,
} from '../record/source-store.js';
import type { Author } from '../documents/author-schema.js';
import type { GivenPayload, MemoryChange, RecordPayload } from '../documents/schema.js';
import { type SearchParts, searchPartsOf } from '../record/search-entry.js';

/** The outcome of a change, for its receipt. */
export type Outcome = Pick<StoredReceipt, 'recordId' | 'revision' | 'action' | 'committedAtMillis'>;

/** What a change writes. */
export interface PlannedWrite {
  readonly outcome: Outcome;
  /** The next revision; absent if only the history changes, or nothing. */
  readonly sealed?: SealedRecord;
  /** By how much the number of records that are not deleted changes. */
  readonly records: -1 | 0 | 1;
  /** The name that the record takes or gives up; absent if its name stays. */
  readonly name?: { readonly text: string; readonly isTaken: boolean };
  readonly history?: HistoryWrite;
  /** What the new revision was derived from, if that isn't stated by the command. */
  readonly sources?: readonly KnownSource[];
  /** A revision of which the content goes with this change, so that its sources go too. */
  readonly unsourced?: number;
  /** The writes of the records that end with this one, which come before it. */
  readonly ended?: readonly PlannedWrite[];
}

/**
 * Plans the write of a change on the current record.
 *
 * @throws {AgentkeepError} `record_not_found`, `revision_conflict` or `current_revision`
 */
export type MemoryWrite = (tx: ReadTx) => PlannedWrite;

/**
 * Stores what a change writes, with the sources that its command states, and appends it to the
 * changes; returns its outcome. A change that writes nothing is none, and isn't served above a
 * storage quota, since it frees no space.
 */
export function storeWrite(
  tx: WriteTx,
  namespace: Namespace,
  planned: PlannedWrite,
  stated: readonly KnownSource[],
): Outcome {
  const { outcome, sealed, records, name, history, unsourced, ended } = planned;
  const { sources = stated } = planned;
  if (sealed === undefined && history === undefined) {
    keepWithinQuota(tx);
    return outcome;
  }
  for (const each of ended ?? []) storeWrite(tx, namespace, each, []);
  if (sealed !== undefined) storeRecord(tx, sealed, records);
  if (name !== undefined) {
    storeName(tx, namespace, name.text, name.isTaken ? outcome.recordId : null);
  }
  if (history !== undefined) storeHistory(tx, history);
  const { tenantId, digest } = namespace;
  const { recordId, revision } = outcome;
  if (sources.length > 0) storeSources(tx, tenantId, { digest, recordId, revision }, sources);
  if (unsourced !== undefined) {
    removeSources(tx, tenantId, { digest, recordId, revision: unsourced });
  }
  if (outcome.action === 'redacted') noteRedacted(tx, tenantId, { digest, recordId, revision });
  appendChange(tx, namespace, outcome);
  noteBranchWrite(tx, namespace, outcome);
  return outcome;
}

/** Returns what a change does to the records that end with it. */
export function endedWith({ ended = [] }: PlannedWrite): readonly Outcome[] {
  return ended.map(({ outcome }) => outcome);
}

/** The namespace, author, key and time of a change. */
export interface WriteContext {
  readonly namespace: Namespace;
  readonly author: Author;
  /** Of the command or batch. */
  readonly idempotencyKey: string;
  readonly newId: NewId;
  readonly nowMs: number;
  /** Who merges the change from a branch; absent for a command. */
  readonly mergedBy?: Author;
}

/** The change of one type. */
export type ChangeOf<T extends MemoryChange['type']> = Extract<MemoryChange, { type: T }>;

/** A payload with its searchable parts. */
export interface Content {
  readonly payload: RecordPayload;
  readonly parts: SearchParts;
}

/** Returns a payload with its searchable parts; its event is now unless it says when. */
export function contentOf(given: GivenPayload, { nowMs }: WriteContext): Content {
  const payload = isTimed(given) ? given : { ...given, event_time_millis: nowMs };
  return { payload, parts: searchPartsOf(payload) };
}

function isTimed(given: GivenPayload): given is GivenPayload & RecordPayload {
  return given.event_time_millis !== undefined;
}

/** Prepares the creation of a record. */
export function createWrite({ record }: ChangeOf<'create'>, context: WriteContext): MemoryWrite {
  const recordId = context.newId();
  const content = contentOf(record, context);
  const planned = createdRecord(recordId, content, null, context);
  return (tx) => {
    const retention = retentionOf(tx, context.namespace);
    const limited = withDefaultEnd(content, retention, context.nowMs);
    return limited === content ? planned : createdRecord(recordId, limited, null, context);
  };
}

/** Prepares the replacement of a record. */
export function updateWrite(change: ChangeOf<'update'>, context: WriteContext): MemoryWrite {
  const content = contentOf(change.record, context);
  return (tx) => {
    const retention = retentionOf(tx, context.namespace);
    const current = currentRecord(tx, change, retention, context);
    return replacedRecord(tx, current, content, { retention, context });
  };
}

/** Prepares the deletion of a record. */
export function deleteWrite(change: ChangeOf<'delete'>, context: WriteContext): MemoryWrite {
  return (tx) => {
    const retention = retentionOf(tx, context.namespace);
    const current = currentRecord(tx, change, retention, context);
    return deletedRecord(current, retention, context);
  };
}

/** Returns the content of a new record, which ends as the retention says if it states no end. */
export function withDefaultEnd(content: Content, retention: Retention, nowMs: number): Content {
  const end = endOfNew(retention, nowMs);
  if (end === null || content.payload.valid_until_millis !== null) return content;
  return {
    payload: { ...content.payload, valid_until_millis: end },
    parts: { ...content.parts, validUntilMillis: end },
  };
}

/** Returns the write of a new record. */
export function createdRecord(
  recordId: string,
  { payload, parts }: Content,
  name: string | null,
  { namespace, author, idempotencyKey, nowMs, mergedBy }: WriteContext,
): PlannedWrite {
  const created: WrittenRecord = {
    revision: 1,
    createdAtMillis: nowMs,
    modifiedAtMillis: nowMs,
    author,
    payload,
    name,
    keptUntilMillis: null,
    idempotencyKey,
    mergedBy,
  };
  return {
    outcome: { recordId, revision: 1, action: 'created', committedAtMillis: nowMs },
    sealed: sealRecord(namespace, recordId, created, parts),
    records: 1,
    ...(name === null ? {} : { name: { text: name, isTaken: true } }),
  };
}

/** Returns the write of the next revision of a record, which keeps its name. */
export function replacedRecord(
  tx: ReadTx,
  current: CurrentRecord,
  content: Content,
  { retention, context }: { readonly retention: Retention; readonly context: WriteContext },
): PlannedWrite {
  const { next, outcome } = nextRevision(current, 'updated', context);
  const written = { ...next, payload: content.payload };
  return {
    outcome,
    sealed: sealRecord(context.namespace, current.recordId, written, content.parts),
    records: 0,
    history: superseded(tx, current, retention, context.nowMs),
  };
}

/** Returns the write of a tombstone, which frees the name of the record. */
export function deletedRecord(
  current: CurrentRecord,
  retention: Retention,
  context: WriteContext,
): PlannedWrite {
  const { next, outcome } = nextRevision(current, 'deleted', context);
  const { keptUntilMillis, ...history } = endedHistory(current, retention, context.nowMs);
  const written = { ...next, payload: null, name: null, keptUntilMillis };
  const { name, payload, revision } = current.value;
  const isUnsourced = payload?.derived_from !== undefined && keptUntilMillis === null;
  return {
    outcome,
    sealed: sealRecord(context.namespace, current.recordId, written, null),
    records: -1,
    history,
    ...(isUnsourced ? { unsourced: revision } : {}),
    ...(name === null ? {} : { name: { text: name, isTaken: false } }),
  };
}

/** Returns the next revision of a record before it has its payload, and its outcome. */
export function nextRevision(
  { recordId, value }: CurrentRecord,
  action: Outcome['action'],
  { author, idempotencyKey, nowMs, mergedBy }: WriteContext,
): { readonly next: WrittenRecord; readonly outcome: Outcome } {
  const revision = value.revision + 1;
  const made = { revision, modifiedAtMillis: nowMs, author, idempotencyKey, mergedBy };
  return {
    next: { ...withoutAttached(value), ...made, keptUntilMillis: null },
    outcome: { recordId, revision, action, committedAtMillis: nowMs },
  };
}

/** Returns the record with this id, deleted ones included, unless it is gone. */
export function storedRecord(
  tx: ReadTx,
  recordId: string,
  retention: Retention,
  { namespace, nowMs }: WriteContext,
): CurrentRecord {
  const found = copyRecord(tx, namespace, recordId);
  if (found === undefined || isPurgeDue(found.value, retention, nowMs)) {
    throw new AgentkeepError('record_not_found');
  }
  return { namespace, recordId, ...found };
}

/** Returns the record to change. Checks in order: existence, revision, deletion. */
function currentRecord(
  tx: ReadTx,
  { record_id, expected_revision }: ChangeOf<'update'> | ChangeOf<'delete'>,
  retention: Retention,
  context: WriteContext,
): CurrentRecord {
  const current = storedRecord(tx, record_id, retention, context);
  if (current.value.revision !== expected_revision) throw new AgentkeepError('revision_conflict');
  if (current.value.payload === null) throw new AgentkeepError('record_not_found');
  return current;
}
