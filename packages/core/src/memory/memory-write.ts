/**
 * The writes of a memory change. All parts that do not depend on the current record are encoded
 * before the transaction.
 */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import type { NewId } from '../runtime/ports/ids.js';
import type { ReadTx } from '../storage/store/store.js';
import { findRecord, type SealedRecord, sealRecord } from './memory-store.js';
import type { Namespace } from '../access/namespace.js';
import type { StoredReceipt } from './receipt-layout.js';
import type { StoredRecord } from './record-layout.js';
import type { Author, MemoryChange } from './schema.js';
import { searchPartsOf } from './search-entry.js';

/** The write of a change. */
export interface MemoryWrite {
  /** The outcome for the receipt. */
  readonly outcome: Pick<StoredReceipt, 'recordId' | 'revision' | 'action' | 'committedAtMillis'>;
  /**
   * Returns the record to store.
   *
   * @throws {AgentkeepError} `record_not_found` or `revision_conflict`
   */
  sealed(tx: ReadTx): SealedRecord;
}

/** The place, author and time of a change. */
export interface WriteContext {
  readonly namespace: Namespace;
  readonly author: Author;
  readonly newId: NewId;
  readonly nowMs: number;
}

/** Prepares the write of a change. */
export function writeOf(change: MemoryChange, context: WriteContext): MemoryWrite {
  switch (change.type) {
    case 'create':
      return createWrite(change, context);
    case 'update':
      return updateWrite(change, context);
    case 'delete':
      return deleteWrite(change, context);
  }
}

type ChangeOf<T extends MemoryChange['type']> = Extract<MemoryChange, { type: T }>;

function createWrite({ record }: ChangeOf<'create'>, context: WriteContext): MemoryWrite {
  const { namespace, author, nowMs } = context;
  const recordId = context.newId();
  const created: StoredRecord = {
    revision: 1,
    createdAtMillis: nowMs,
    modifiedAtMillis: nowMs,
    author,
    payload: record,
  };
  const sealed = sealRecord(namespace, recordId, created, searchPartsOf(record));
  return {
    outcome: { recordId, revision: 1, action: 'created', committedAtMillis: nowMs },
    sealed: () => sealed,
  };
}

function updateWrite(change: ChangeOf<'update'>, context: WriteContext): MemoryWrite {
  const { namespace, author, nowMs } = context;
  const { record_id: recordId, expected_revision } = change;
  const revision = expected_revision + 1;
  const { record: payload } = change;
  const parts = searchPartsOf(payload);
  return {
    outcome: { recordId, revision, action: 'updated', committedAtMillis: nowMs },
    sealed: (tx) => {
      const { createdAtMillis } = currentRecord(tx, namespace, change);
      const next = { revision, createdAtMillis, modifiedAtMillis: nowMs, author, payload };
      return sealRecord(namespace, recordId, next, parts);
    },
  };
}

function deleteWrite(change: ChangeOf<'delete'>, context: WriteContext): MemoryWrite {
  const { namespace, author, nowMs } = context;
  const { record_id: recordId, expected_revision } = change;
  const revision = expected_revision + 1;
  return {
    outcome: { recordId, revision, action: 'deleted', committedAtMillis: nowMs },
    sealed: (tx) => {
      const { createdAtMillis } = currentRecord(tx, namespace, change);
      const next = { revision, createdAtMillis, modifiedAtMillis: nowMs, author, payload: null };
      return sealRecord(namespace, recordId, next, null);
    },
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
