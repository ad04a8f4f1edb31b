/** Memory in the store: records, their search entries and the receipts of commands. */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { noteChange } from '../runtime/counts/noted-changes.js';
import { keyspace } from '../storage/store/keyspace.js';
import { keyText } from '../storage/store/bytes.js';
import { encodeKey, trailingUuid } from '../storage/store/key.js';
import type { Entry, ReadTx, WriteTx } from '../storage/store/store.js';
import { type Measured, Subspace } from '../storage/store/subspace.js';
import { jsonLayout } from '../storage/store/layouts.js';
import { contentOf } from '../storage/store/value.js';
import type { Namespace } from '../access/namespace.js';
import { receiptLayout, type StoredReceipt } from './receipt-layout.js';
import { recordLayout, type StoredRecord } from './record-layout.js';
import {
  isTombstone,
  type SearchParts,
  searchLayout,
  type StoredSearchEntry,
} from './search-entry.js';

const records = new Subspace(keyspace.memoryRecords, recordLayout);
const searchEntries = new Subspace(keyspace.memoryScan, searchLayout);
const receipts = new Subspace(keyspace.memoryReceipts, receiptLayout);
/** The id of the record with a name. */
const names = new Subspace(keyspace.memoryNames, jsonLayout<string>(1));

const DIGEST_BYTES = 32;
const UUID_BYTES = 16;

const RECORDS_MADE_BY = { created: 1, updated: 0, deleted: -1 } as const;

/** The subspaces of memory, by their names in the key space. */
export const memorySubspaces = {
  memoryRecords: records,
  memoryScan: searchEntries,
  memoryReceipts: receipts,
  memoryNames: names,
};

/** Returns the record or tombstone with this id, or `undefined`. */
export function findRecord(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  recordId: string,
): StoredRecord | undefined {
  return records.get(tx, tenantId, digest, recordId);
}

/** A record with its id. */
export interface NamedRecord {
  readonly recordId: string;
  readonly record: StoredRecord;
}

/**
 * Returns the record with a name, expired or not, or `undefined`.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when the record has another name.
 */
export function findNamed(tx: ReadTx, namespace: Namespace, name: string): NamedRecord | undefined {
  const recordId = names.get(tx, namespace.tenantId, namespace.digest, name);
  if (recordId === undefined) return undefined;
  const record = findRecord(tx, namespace, recordId);
  if (record?.name !== name) throw new AgentkeepError('storage_inconsistency');
  return { recordId, record };
}

/** Gives a name to a record, or frees it if `recordId` is null. */
export function storeName(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  name: string,
  recordId: string | null,
): void {
  if (recordId === null) tx.remove(names.keyOf(tenantId, digest, name));
  else names.put(tx, recordId, tenantId, digest, name);
}

/** An encoded record with its encoded search entry. */
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

/** Returns whether a stored search entry belongs to a record that is not deleted. */
export function isCurrentRecord(sealed: Uint8Array): boolean {
  return !isTombstone(contentOf(sealed));
}

/** Returns the receipt under an idempotency key of a subject, or `undefined`. */
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

/** A part of a scan. */
export interface ScanSlice {
  /** Id of the last record that was visited before. */
  readonly after: string | undefined;
  /** Id of the last record to visit; absent means all. */
  readonly through?: string | undefined;
  /** Most entries to visit. */
  readonly limit: number;
}

/**
 * Visits the search entries of a namespace in ascending order of record id, until the visitor
 * returns false. Entries and their keys are on loan. {@link idOfEntry} reads the id of a key.
 */
export function scanEntries(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  { after, through, limit }: ScanSlice,
  visit: (entry: StoredSearchEntry, key: Uint8Array) => boolean,
): void {
  const entries = searchEntries.entries(tx, tenantId, {
    prefix: [digest],
    after: after === undefined ? undefined : [digest, after],
    through: through === undefined ? undefined : [digest, through],
    limit,
  });
  const open = searchEntries.opener(tenantId, digest);
  for (const { key, value } of entries) {
    if (!visit(open(key, value), key)) break;
  }
}

/** Returns the record id in the key of a search entry. */
export function idOfEntry(key: Uint8Array): string {
  return trailingUuid(key);
}

/** Copies the bytes of that id. */
export function idOfEntryInto(key: Uint8Array, target: Uint8Array, at: number): void {
  target.set(key.subarray(key.length - UUID_BYTES), at);
}

/** Returns what the keys of all search entries of a namespace start with, as {@link keyText}. */
export function entriesName({ tenantId, digest }: Namespace): string {
  return keyText(
    encodeKey(tenantId, keyspace.memoryScan.number, keyspace.memoryScan.shape, [digest]),
  );
}

/** Returns where the record id starts in a written key if a search entry may be under it, or -1. */
export function idInEntryKey(key: string): number {
  const idAt = key.length - UUID_BYTES;
  return key.charCodeAt(idAt - DIGEST_BYTES - 1) === keyspace.memoryScan.number ? idAt : -1;
}

/**
 * Returns the record of a search entry, with its stored size.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when it is missing or of another revision.
 */
export function recordOfEntry(
  tx: ReadTx,
  namespace: Namespace,
  recordId: string,
  revision: number,
): Measured<StoredRecord> {
  const { tenantId, digest } = namespace;
  const found = records.measured(tx, tenantId, digest, recordId);
  if (found?.value.revision !== revision) throw new AgentkeepError('storage_inconsistency');
  return found;
}
