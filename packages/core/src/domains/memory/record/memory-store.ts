/** Memory in the store: records, their search entries and names. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { noteChange } from '../../../kernel/counts/counts.js';
import { noteRemoval } from '../../../kernel/erased/removal-store.js';
import { copyBytes, keyBytes, keyText } from '../../../storage/store/bytes.js';
import { type Counted, defineFamily, indexOf, oneFor } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import { trailingUuid } from '../../../storage/store/key.js';
import type { Entry, ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Copied, Measured } from '../../../storage/store/subspace.js';
import { contentOf, openValue } from '../../../storage/store/value.js';
import type { CurrentState } from '../retention/retention-policy.js';
import { memoryReceipts } from './receipt-store.js';
import {
  readCommandKey,
  recordLayout,
  recordStateLayout,
  type StoredRecord,
  type WrittenRecord,
} from './record-layout.js';
import {
  isTombstone,
  searchLayout,
  type SearchParts,
  type StoredSearchEntry,
} from './search-entry.js';

/** Memory records and tombstones, by namespace and record id. */
export const memoryRecords = defineFamily({
  name: 'memoryRecords',
  number: 6,
  key: ['digest', 'uuid'],
  layout: recordLayout,
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'record' },
  erased: 'removed',
  counts: null,
});

/** What an entry of a record that is not deleted adds to the numbers of entries. */
const oneRecord: Counted = { name: 'memory_records', by: 1 };

/** Search entries of records: folded text, type, tags, expiry, time of the event; same keys. */
export const memoryScan = defineFamily({
  name: 'memoryScan',
  number: 7,
  key: ['digest', 'uuid'],
  layout: searchLayout,
  sealedBy: 'namespace',
  owner: 'scope',
  exported: 'derived',
  erased: 'derived',
  counts: ({ value }) => (isCurrentRecord(value) ? oneRecord : undefined),
  derived: oneFor(memoryRecords),
});

/** Ids of the records that have a name and are not deleted, by namespace and name. */
export const memoryNames = defineFamily({
  name: 'memoryNames',
  number: 63,
  key: ['digest', 'text'],
  layout: jsonLayout<string>(1),
  sealedBy: 'namespace',
  digests: [1],
  owner: 'scope',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(memoryRecords),
});

const UUID_BYTES = 16;

/** Returns the record or tombstone with this id, or `undefined`. */
export function findRecord(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  recordId: string,
): StoredRecord | undefined {
  return memoryRecords.get(tx, tenantId, digest, recordId);
}

/** Returns the record or tombstone with this id and its stored bytes, or `undefined`. */
export function copyRecord(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  recordId: string,
): Copied<StoredRecord> | undefined {
  return memoryRecords.copied(tx, tenantId, digest, recordId);
}

/** Returns the state of the record or tombstone with this id, and its stored size. */
export function findRecordState(
  tx: ReadTx,
  { tenantId, digest }: Pick<Namespace, 'tenantId' | 'digest'>,
  recordId: string,
): Measured<CurrentState> | undefined {
  const key = memoryRecords.keyOf(tenantId, digest, recordId);
  const sealed = tx.get(key);
  return sealed && { value: openValue(recordStateLayout, key, sealed), bytes: sealed.length };
}

/** As {@link findRecord}, with its stored size. */
export function findRecordMeasured(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  recordId: string,
): Measured<StoredRecord> | undefined {
  return memoryRecords.measured(tx, tenantId, digest, recordId);
}

/** Returns {@link findRecordMeasured} for a namespace, which is faster for many of its records. */
export function recordsUnder({
  tenantId,
  digest,
}: Namespace): (tx: ReadTx, recordId: string) => Measured<StoredRecord> | undefined {
  return memoryRecords.measuredUnder(tenantId, digest);
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
  const recordId = idOfName(tx, namespace, name);
  if (recordId === undefined) return undefined;
  const record = findRecord(tx, namespace, recordId);
  if (record?.name !== name) throw new AgentkeepError('storage_inconsistency');
  return { recordId, record };
}

/** As {@link findNamed}, with the stored bytes of the record. */
export function copyNamed(
  tx: ReadTx,
  namespace: Namespace,
  name: string,
): (Copied<StoredRecord> & { readonly recordId: string }) | undefined {
  const recordId = idOfName(tx, namespace, name);
  if (recordId === undefined) return undefined;
  const found = copyRecord(tx, namespace, recordId);
  if (found?.value.name !== name) throw new AgentkeepError('storage_inconsistency');
  return { recordId, ...found };
}

/** Returns the id of the record with a name, or `undefined`. */
export function idOfName(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  name: string,
): string | undefined {
  return memoryNames.get(tx, tenantId, digest, name);
}

/** Gives a name to a record, or frees it if `recordId` is null. */
export function storeName(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  name: string,
  recordId: string | null,
): void {
  if (recordId === null) tx.remove(memoryNames.keyOf(tenantId, digest, name));
  else memoryNames.put(tx, recordId, tenantId, digest, name);
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
  record: WrittenRecord,
  parts: SearchParts | null,
): SealedRecord {
  return {
    record: memoryRecords.seal(record, tenantId, digest, recordId),
    search: memoryScan.seal({ revision: record.revision, parts }, tenantId, digest, recordId),
  };
}

/**
 * Stores a record with its search entry. `by` is added to the number of records that
 * are not deleted.
 */
export function storeRecord(tx: WriteTx, { record, search }: SealedRecord, by: -1 | 0 | 1): void {
  tx.put(record.key, record.value);
  tx.put(search.key, search.value);
  noteChange(tx, 'memory_records', by, search.key);
}

/**
 * Attaches an embedding to the current revision of a record, or takes that of a space away if there
 * are no values; everything else stays.
 */
export function attachEmbedding(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  recordId: string,
  { value, content }: Copied<StoredRecord>,
  { space, values }: { readonly space: string; readonly values: readonly number[] | undefined },
): void {
  const attached = new Map(value.attached);
  if (values === undefined) attached.delete(space);
  else attached.set(space, values);
  const span = { bytes: Buffer.from(content), start: 1, end: content.length };
  const idempotencyKey = readCommandKey(span);
  const written = { ...value, attached: attached.size > 0 ? attached : undefined, idempotencyKey };
  memoryRecords.put(tx, written, tenantId, digest, recordId);
}

/** Removes a record with its search entry and its name. Its revisions stay. */
export function removeRecord(tx: WriteTx, namespace: Namespace, recordId: string): void {
  const { tenantId, digest } = namespace;
  const name = findRecord(tx, namespace, recordId)?.name ?? null;
  // A name that another record took meanwhile is that one's.
  const isNamed = name !== null && idOfName(tx, namespace, name) === recordId;
  if (isNamed) storeName(tx, namespace, name, null);
  const searchKey = memoryScan.keyOf(tenantId, digest, recordId);
  noteRemoval(tx, namespace);
  tx.remove(memoryRecords.keyOf(tenantId, digest, recordId));
  tx.remove(searchKey);
  noteChange(tx, 'memory_records', -1, searchKey);
}

/** Removes some entries of a namespace that nobody reads any more; returns their number. */
export function removeSomeEntries(
  tx: WriteTx,
  { tenantId, digest }: Pick<Namespace, 'tenantId' | 'digest'>,
  limit: number,
): number {
  const span = (left: number) => ({ prefix: [digest] as [Uint8Array], limit: left });
  const current: Uint8Array[] = [];
  const keys: Uint8Array[] = [];
  // A record goes with its search entry, so that both are as many in every committed state.
  for (const { key, value } of memoryScan.entries(tx, tenantId, span(limit / 2))) {
    keys.push(copyBytes(key), memoryRecords.keyOf(tenantId, digest, trailingUuid(key)));
    if (isCurrentRecord(value)) current.push(copyBytes(key));
  }
  const firstReceipt = keys.length;
  const further = (entries: Iterable<Entry>): void => {
    for (const { key } of entries) keys.push(copyBytes(key));
  };
  if (keys.length < limit) further(memoryReceipts.entries(tx, tenantId, span(limit - keys.length)));
  const used = keys.slice(firstReceipt);
  if (keys.length < limit) further(memoryNames.entries(tx, tenantId, span(limit - keys.length)));
  for (const key of keys) tx.remove(key);
  for (const key of current) noteChange(tx, 'memory_records', -1, key);
  for (const key of used) noteChange(tx, 'receipts', -1, key);
  return keys.length;
}

/** The part of a search entry that a sweep needs. */
export interface SweptEntry {
  readonly key: Uint8Array;
  readonly bytes: number;
  /** See {@link StoredSearchEntry.visibleUntilMillis}. */
  readonly visibleUntilMillis: number;
}

/** Yields the search entries of a tenant from a key on. Keys are on loan. */
export function* sweptEntries(
  tx: ReadTx,
  tenantId: string,
  { from, limit }: { readonly from: Uint8Array | undefined; readonly limit: number },
): Iterable<SweptEntry> {
  for (const { key, value } of memoryScan.entriesFrom(tx, tenantId, { from, limit })) {
    // An entry that does not verify has no end.
    const visibleUntilMillis = memoryScan.openIfReadable(key, value)?.visibleUntilMillis;
    yield { key, bytes: value.length, visibleUntilMillis: visibleUntilMillis ?? Infinity };
  }
}

/** Returns when a record stops being visible, from its search entry; `undefined` without one. */
export function visibleUntil(
  tx: ReadTx,
  { tenantId, digest }: Pick<Namespace, 'tenantId' | 'digest'>,
  recordId: string,
): number | undefined {
  return memoryScan.get(tx, tenantId, digest, recordId)?.visibleUntilMillis;
}

/** Returns whether a namespace has an entry of a record, deleted or not. */
export function hasEntry(tx: ReadTx, { tenantId, digest }: Namespace, recordId: string): boolean {
  return memoryScan.has(tx, tenantId, digest, recordId);
}

/** Returns whether a stored search entry belongs to a record that is not deleted. */
export function isCurrentRecord(sealed: Uint8Array): boolean {
  return !isTombstone(contentOf(sealed));
}

type EntryKey = [digest: Uint8Array, recordId: string];

/** A part of a scan. */
export interface ScanSlice {
  /** Id of the last record that was visited before. */
  readonly after: string | undefined;
  /** Id of the last record to visit, or, backward, of the next one after it; absent means all. */
  readonly through?: string | undefined;
  /** Whether to visit in descending order. */
  readonly isBackward?: boolean | undefined;
  /** Most entries to visit. */
  readonly limit: number;
}

/**
 * Visits the search entries of a namespace in the order of record ids, until the visitor returns
 * false. Entries and their keys are on loan. {@link idOfEntry} reads the id of a key.
 */
export function scanEntries(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  { after, through, limit, isBackward = false }: ScanSlice,
  visit: (entry: StoredSearchEntry, key: Uint8Array) => boolean,
): void {
  const start: EntryKey | undefined = after === undefined ? undefined : [digest, after];
  const end: EntryKey | undefined = through === undefined ? undefined : [digest, through];
  const span = isBackward ? { before: start, after: end } : { after: start, through: end };
  const entries = memoryScan.entries(tx, tenantId, {
    prefix: [digest],
    ...span,
    limit,
    reverse: isBackward,
  });
  const open = memoryScan.opener(tenantId, digest);
  for (const { key, value } of entries) {
    if (!visit(open(key, value), key)) break;
  }
}

/** Returns the record id in the key of a search entry. */
export function idOfEntry(key: Uint8Array): string {
  return trailingUuid(key);
}

/** Returns where the bytes of that id start. */
export function idStartOf(key: Uint8Array): number {
  return key.length - UUID_BYTES;
}

/** Copies the bytes of that id. */
export function idOfEntryInto(key: Uint8Array, target: Uint8Array, at: number): void {
  target.set(key.subarray(idStartOf(key)), at);
}

/** Decodes a written search entry; `undefined` if it does not verify. Its bytes are on loan. */
export function openEntry(key: string, sealed: Uint8Array): StoredSearchEntry | undefined {
  return memoryScan.openIfReadable(keyBytes(key), sealed);
}

/** Returns the search entry of a record: its key as {@link keyText}, and a copy of its value. */
export function writtenEntry(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  recordId: string,
): readonly [key: string, value: Uint8Array | undefined] {
  const key = memoryScan.keyOf(tenantId, digest, recordId);
  const value = tx.get(key);
  return [keyText(key), value && copyBytes(value)];
}

/**
 * Returns the record of a search entry that was read.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when it is missing or of another revision.
 */
export function ofRevision(
  found: Measured<StoredRecord> | undefined,
  revision: number,
): Measured<StoredRecord> {
  if (found?.value.revision !== revision) throw new AgentkeepError('storage_inconsistency');
  return found;
}
