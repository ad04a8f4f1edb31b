/**
 * The writes of a memory change. All parts that do not depend on the current record are encoded
 * before the transaction.
 */
import type { Namespace } from '../access/namespace.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import type { NewId } from '../runtime/ports/ids.js';
import type { ReadTx, WriteTx } from '../storage/store/store.js';
import {
  findRecord,
  type SealedRecord,
  sealRecord,
  storeName,
  storeRecord,
} from './memory-store.js';
import type { StoredReceipt } from './receipt-layout.js';
import type { StoredRecord } from './record-layout.js';
import type { Author, MemoryChange, RecordPayload } from './schema.js';
import { type SearchParts, searchPartsOf } from './search-entry.js';

/** The outcome of a change, for its receipt. */
export type Outcome = Pick<StoredReceipt, 'recordId' | 'revision' | 'action' | 'committedAtMillis'>;

/** What a change writes. */
export interface PlannedWrite {
  readonly outcome: Outcome;
  readonly sealed: SealedRecord;
  /** The name that the record takes or gives up; absent if its name stays. */
  readonly name?: { readonly text: string; readonly isTaken: boolean };
}

/**
 * Plans the write of a change on the current record.
 *
 * @throws {AgentkeepError} `record_not_found` or `revision_conflict`
 */
export type MemoryWrite = (tx: ReadTx) => PlannedWrite;

/** Stores what a change writes; returns its outcome. */
export function storeWrite(
  tx: WriteTx,
  namespace: Namespace,
  { outcome, sealed, name }: PlannedWrite,
): Outcome {
  storeRecord(tx, sealed, outcome.action);
  if (name !== undefined) {
    storeName(tx, namespace, name.text, name.isTaken ? outcome.recordId : null);
  }
  return outcome;
}

/** The place, author and time of a change. */
export interface WriteContext {
  readonly namespace: Namespace;
  readonly author: Author;
  readonly newId: NewId;
  readonly nowMs: number;
}

/** The change of one type. */
export type ChangeOf<T extends MemoryChange['type']> = Extract<MemoryChange, { type: T }>;

/** A payload with its searchable parts. */
export interface Content {
  readonly payload: RecordPayload;
  readonly parts: SearchParts;
}

/** Returns a payload with its searchable parts. */
export function contentOf(payload: RecordPayload): Content {
  return { payload, parts: searchPartsOf(payload) };
}

/** Prepares the creation of a record. */
export function createWrite({ record }: ChangeOf<'create'>, context: WriteContext): MemoryWrite {
  const planned = createdRecord(context.newId(), contentOf(record), null, context);
  return () => planned;
}

/** Prepares the replacement of a record. */
export function updateWrite(change: ChangeOf<'update'>, context: WriteContext): MemoryWrite {
  const content = contentOf(change.record);
  return (tx) => {
    const current = currentRecord(tx, context.namespace, change);
    return replacedRecord(change.record_id, current, content, context);
  };
}

/** Prepares the deletion of a record. */
export function deleteWrite(change: ChangeOf<'delete'>, context: WriteContext): MemoryWrite {
  return (tx) => {
    const current = currentRecord(tx, context.namespace, change);
    return deletedRecord(change.record_id, current, context);
  };
}

/** Returns the write of a new record. */
export function createdRecord(
  recordId: string,
  { payload, parts }: Content,
  name: string | null,
  { namespace, author, nowMs }: WriteContext,
): PlannedWrite {
  const times = { createdAtMillis: nowMs, modifiedAtMillis: nowMs };
  const created: StoredRecord = { revision: 1, ...times, author, payload, name };
  return {
    outcome: { recordId, revision: 1, action: 'created', committedAtMillis: nowMs },
    sealed: sealRecord(namespace, recordId, created, parts),
    ...(name === null ? {} : { name: { text: name, isTaken: true } }),
  };
}

/** Returns the write of the next revision of a record, which keeps its name. */
export function replacedRecord(
  recordId: string,
  current: StoredRecord,
  { payload, parts }: Content,
  { namespace, author, nowMs }: WriteContext,
): PlannedWrite {
  const revision = current.revision + 1;
  const next = { ...current, revision, modifiedAtMillis: nowMs, author, payload };
  return {
    outcome: { recordId, revision, action: 'updated', committedAtMillis: nowMs },
    sealed: sealRecord(namespace, recordId, next, parts),
  };
}

/** Returns the write of a tombstone, which frees the name of the record. */
export function deletedRecord(
  recordId: string,
  current: StoredRecord,
  { namespace, author, nowMs }: WriteContext,
): PlannedWrite {
  const revision = current.revision + 1;
  const gone = { payload: null, name: null };
  const next = { ...current, revision, modifiedAtMillis: nowMs, author, ...gone };
  return {
    outcome: { recordId, revision, action: 'deleted', committedAtMillis: nowMs },
    sealed: sealRecord(namespace, recordId, next, null),
    ...(current.name === null ? {} : { name: { text: current.name, isTaken: false } }),
  };
}

/** Returns the record to change. Checks in order: existence, revision, deletion. */
function currentRecord(
  tx: ReadTx,
  namespace: Namespace,
  { record_id, expected_revision }: ChangeOf<'update'> | ChangeOf<'delete'>,
): StoredRecord {
  const record = findRecord(tx, namespace, record_id);
  if (record === undefined) throw new AgentkeepError('record_not_found');
  if (record.revision !== expected_revision) throw new AgentkeepError('revision_conflict');
  if (record.payload === null) throw new AgentkeepError('record_not_found');
  return record;
}
