/**
 * Memory in the store: a record, its search entry and the receipts of its commands, in step.
 * @module
 */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { noteChange } from '../runtime/counts/noted-changes.js';
import { keyspace } from '../storage/store/keyspace.js';
import { trailingUuid } from '../storage/store/key.js';
import type { Entry, ReadTx, WriteTx } from '../storage/store/store.js';
import { Subspace } from '../storage/store/subspace.js';
import { contentOf, fieldsLayout } from '../storage/store/value.js';
import type { Namespace } from '../access/namespace.js';
import { type RecordFields, recordFields, recordOf, type StoredRecord } from './record-layout.js';
import type { Receipt } from './schema.js';
import {
  isTombstone,
  type SearchParts,
  searchLayout,
  type StoredSearchEntry,
} from './search-entry.js';

/** A receipt as it is stored; its subject and idempotency key are part of its key. */
export interface StoredReceipt {
  readonly fingerprint: string;
  readonly recordId: string;
  readonly revision: number;
  readonly action: Receipt['action'];
  readonly committedAtMillis: number;
  readonly credentialId: string;
}

const RECORDS_MADE_BY = { created: 1, updated: 0, deleted: -1 } as const;

type ReceiptFields = [string, string, number, Receipt['action'], number, string];

const records = new Subspace(
  keyspace.memoryRecords,
  fieldsLayout<StoredRecord, RecordFields>(1, recordFields, recordOf),
);
const searchEntries = new Subspace(keyspace.memoryScan, searchLayout);
const receipts = new Subspace(
  keyspace.memoryReceipts,
  fieldsLayout<StoredReceipt, ReceiptFields>(
    1,
    (it) => [
      it.fingerprint,
      it.recordId,
      it.revision,
      it.action,
      it.committedAtMillis,
      it.credentialId,
    ],
    ([fingerprint, recordId, revision, action, committedAtMillis, credentialId]) => ({
      fingerprint,
      recordId,
      revision,
      action,
      committedAtMillis,
      credentialId,
    }),
  ),
);

/** The subspaces of memory, by their names in the key space. */
export const memorySubspaces = {
  memoryRecords: records,
  memoryScan: searchEntries,
  memoryReceipts: receipts,
};

/** A record with this id, tombstones included, or `undefined`. */
export function findRecord(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  recordId: string,
): StoredRecord | undefined {
  return records.get(tx, tenantId, digest, recordId);
}

/** A record on its way to the store. */
export interface SealedRecord {
  readonly record: Entry;
  readonly search: Entry;
}

/** Encodes a record and its search entry; `parts` is null for a tombstone. */
export function sealRecord(
  { tenantId, digest }: Namespace,
  recordId: string,
  record: StoredRecord,
  parts: SearchParts | null,
): SealedRecord {
  return {
    record: records.seal(record, tenantId, digest, recordId),
    search: searchEntries.seal({ revision: record.revision, parts }, tenantId, digest, recordId),
  };
}

/** Stores a record with its search entry. */
export function storeRecord(
  tx: WriteTx,
  { record, search }: SealedRecord,
  action: StoredReceipt['action'],
): void {
  tx.put(record.key, record.value);
  tx.put(search.key, search.value);
  noteChange(tx, 'memory_records', RECORDS_MADE_BY[action], search.key);
}

/** Whether a stored search entry belongs to a record that is not deleted. */
export function isCurrentRecord(sealed: Uint8Array): boolean {
  return !isTombstone(contentOf(sealed));
}

/** The receipt under an idempotency key of a subject, if the key was used. */
export function findReceipt(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  subjectId: string,
  idempotencyKey: string,
): StoredReceipt | undefined {
  return receipts.get(tx, tenantId, digest, subjectId, idempotencyKey);
}

/** Stores the receipt of a command. */
export function insertReceipt(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  command: { subjectId: string; idempotencyKey: string },
  receipt: StoredReceipt,
): void {
  const { subjectId, idempotencyKey } = command;
  const key = receipts.put(tx, receipt, tenantId, digest, subjectId, idempotencyKey);
  noteChange(tx, 'receipts', 1, key);
}

/** Where a scan of search entries stands. */
export interface ScanSlice {
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Visits the search entries of a namespace in ascending order of record id, until the visitor
 * returns false. Entries are on loan, and their ids are spelled out only on demand.
 */
export function scanEntries(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  { after, limit }: ScanSlice,
  visit: (entry: StoredSearchEntry, recordId: () => string) => boolean,
): void {
  const start = after === undefined ? {} : { after: [digest, after] as [Uint8Array, string] };
  const span = { prefix: [digest] as [Uint8Array], limit, ...start };
  for (const { key, value } of searchEntries.entries(tx, tenantId, span)) {
    if (!visit(searchEntries.open(key, value), () => trailingUuid(key))) break;
  }
}

/**
 * The record that a search entry stands for.
 * @throws {AgentkeepError} `storage_inconsistency` when it is missing or of another revision.
 */
export function recordOfEntry(
  tx: ReadTx,
  namespace: Namespace,
  recordId: string,
  revision: number,
): StoredRecord {
  const record = findRecord(tx, namespace, recordId);
  if (record?.revision !== revision) throw new AgentkeepError('storage_inconsistency');
  return record;
}
