/** Superseded revisions in the store, and the queue of records whose revisions go. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { copyBytes } from '../../../storage/store/bytes.js';
import { defineFamily, working } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { Entry, ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Measured } from '../../../storage/store/subspace.js';
import { ifReadable, openValue, type ValueLayout } from '../../../storage/store/value.js';
import { QUERY_SLICE_RECORD_BYTES } from '../../../contract/limits.js';
import { type RevisedKey, revisionInKey } from '../record/keyed-record.js';
import {
  isRedactedIn,
  revisionLayout,
  type StoredRevision,
  supersededAtIn,
  type WrittenRevision,
} from './revision-layout.js';

/** Superseded revisions of records, or stubs of redacted ones: namespace, record id, revision. */
export const memoryRevisions = defineFamily({
  name: 'memoryRevisions',
  number: 65,
  key: ['digest', 'uuid', 'integer'],
  layout: revisionLayout,
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'revision' },
  erased: 'removed',
  counts: null,
});

/**
 * Records whose revisions are due for removal: when, in Unix milliseconds, namespace, record id.
 */
export const memoryPurges = defineFamily({
  name: 'memoryPurges',
  number: 77,
  key: ['integer', 'digest', 'uuid'],
  layout: jsonLayout<null>(1),
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
});

/** Identifies a record. */
export interface RecordKey {
  readonly namespace: Pick<Namespace, 'tenantId' | 'digest'>;
  readonly recordId: string;
}

/** Encodes the entry of a superseded revision. */
export function sealRevision(
  { namespace: { tenantId, digest }, recordId }: RecordKey,
  revision: number,
  written: WrittenRevision,
): Entry {
  return memoryRevisions.seal(written, tenantId, digest, recordId, revision);
}

/** Returns the key of a superseded revision. */
export function revisionKey(
  { namespace: { tenantId, digest }, recordId }: RecordKey,
  revision: number,
): Uint8Array {
  return memoryRevisions.keyOf(tenantId, digest, recordId, revision);
}

/** Returns a superseded revision, kept or to be removed, or `undefined`. */
export function findRevision(
  tx: ReadTx,
  { namespace: { tenantId, digest }, recordId }: RecordKey,
  revision: number,
): StoredRevision | undefined {
  return memoryRevisions.get(tx, tenantId, digest, recordId, revision);
}

/** As {@link findRevision}, with its stored size. */
export function findRevisionMeasured(
  tx: ReadTx,
  { namespace: { tenantId, digest }, recordId }: RecordKey,
  revision: number,
): Measured<StoredRevision> | undefined {
  return memoryRevisions.measured(tx, tenantId, digest, recordId, revision);
}

/** Some superseded revisions. */
export interface RevisionPart {
  /** Only revisions below this one. */
  readonly before: number;
  /** Most revisions. */
  readonly limit: number;
  /** Bytes after which no further one is read. */
  readonly bytes: number;
}

/** Superseded revisions, the newest first, and whether there may be more below them. */
export interface NewestRevisions {
  readonly found: readonly Measured<StoredRevision>[];
  readonly hasMore: boolean;
}

/** Returns stored revisions of a record, newest first. */
export function newestRevisions(
  tx: ReadTx,
  { namespace: { tenantId, digest }, recordId }: RecordKey,
  { before, limit, bytes }: RevisionPart,
): NewestRevisions {
  const prefix: [Uint8Array, string] = [digest, recordId];
  const end: [Uint8Array, string, number] = [digest, recordId, before];
  const found: Measured<StoredRevision>[] = [];
  let size = 0;
  const span = { prefix, before: end, reverse: true, limit };
  for (const { key, value } of memoryRevisions.entries(tx, tenantId, span)) {
    size += value.length;
    found.push({ bytes: value.length, value: memoryRevisions.open(key, value) });
    if (size >= bytes) return { found, hasMore: true };
  }
  return { found, hasMore: found.length === limit };
}

/** Which superseded revisions a step of a walk looks at. */
export interface RedactionSlice {
  /** Those after this one; `undefined` for the first step. */
  readonly after: { readonly recordId: string; readonly revision: number } | undefined;
  readonly limit: number;
}

/** Returns the redacted ones of some revisions of a namespace, and the last one looked at. */
export function redactedRevisions(
  tx: ReadTx,
  { tenantId, digest }: RecordKey['namespace'],
  { after, limit }: RedactionSlice,
): { readonly redacted: readonly RevisedKey[]; readonly last: RevisedKey | undefined } {
  const redacted: RevisedKey[] = [];
  let last: RevisedKey | undefined;
  let size = 0;
  const entries = memoryRevisions.entries(tx, tenantId, {
    prefix: [digest] as [Uint8Array],
    after: after && ([digest, after.recordId, after.revision] as [Uint8Array, string, number]),
    limit,
  });
  for (const { key, value } of entries) {
    last = revisionInKey(key);
    if (openValue(redactedLayout, key, value)) redacted.push(last);
    size += value.length;
    if (size >= QUERY_SLICE_RECORD_BYTES) break;
  }
  return { redacted, last };
}

/** Reads whether a revision was redacted, without decoding its record. */
const redactedLayout: ValueLayout<never, boolean> = {
  version: revisionLayout.version,
  encode: () => {
    throw new TypeError('This alone is never stored.');
  },
  decode: isRedactedIn,
};

/** Encodes the entry of the queue for a record whose revisions go at a time. */
export function sealPurge(
  { namespace: { tenantId, digest }, recordId }: RecordKey,
  dueMillis: number,
): Entry {
  return memoryPurges.seal(null, tenantId, Math.max(0, dueMillis), digest, recordId);
}

/** Returns the keys of stored revisions of a record, lowest first. */
export function revisionKeys(
  tx: ReadTx,
  { namespace: { tenantId, digest }, recordId }: RecordKey,
  limit: number,
): Uint8Array[] {
  const entries = memoryRevisions.entries(tx, tenantId, { prefix: [digest, recordId], limit });
  return Array.from(entries, ({ key }) => copyBytes(key));
}

/** Removes some revisions of a namespace that nobody reads any more; returns their number. */
export function removeSomeRevisions(
  tx: WriteTx,
  { tenantId, digest }: RecordKey['namespace'],
  limit: number,
): number {
  const entries = memoryRevisions.entries(tx, tenantId, { prefix: [digest], limit });
  const keys = Array.from(entries, ({ key }) => copyBytes(key));
  for (const key of keys) tx.remove(key);
  return keys.length;
}

/** The part of a stored revision that a sweep needs. */
export interface SweptRevision {
  readonly key: Uint8Array;
  readonly bytes: number;
  readonly supersededAtMillis: number;
}

/** Reads when a revision was superseded, without decoding its record. */
const supersededLayout: ValueLayout<never, number> = {
  version: revisionLayout.version,
  encode: () => {
    throw new TypeError('A time alone is never stored.');
  },
  decode: supersededAtIn,
};

/** Yields the stored revisions of a tenant from a key on. Keys are on loan. */
export function* sweptRevisions(
  tx: ReadTx,
  tenantId: string,
  part: { readonly from: Uint8Array | undefined; readonly limit: number },
): Iterable<SweptRevision> {
  for (const { key, value } of memoryRevisions.entriesFrom(tx, tenantId, part)) {
    yield { key, bytes: value.length, supersededAtMillis: timeIn(key, value) };
  }
}

/** Returns when a stored revision was superseded; `undefined` if it is gone. */
export function supersededAt(tx: ReadTx, key: Uint8Array): number | undefined {
  const sealed = tx.get(key);
  return sealed && timeIn(key, sealed);
}

/** A value that does not verify is never too old. */
function timeIn(key: Uint8Array, sealed: Uint8Array): number {
  return ifReadable(() => openValue(supersededLayout, key, sealed)) ?? Infinity;
}

/** Returns whether a tenant has any superseded revision. */
export function hasRevisions(tx: ReadTx, tenantId: string): boolean {
  for (const _ of memoryRevisions.entriesFrom(tx, tenantId, { from: undefined, limit: 1 }))
    return true;
  return false;
}

/** Returns the key of the first entry of the queue of a tenant that is due, or `undefined`. */
export function firstDuePurge(tx: ReadTx, tenantId: string, nowMs: number): Uint8Array | undefined {
  const span = { prefix: [] as [], before: [nowMs + 1] as [number], limit: 1 };
  for (const { key } of memoryPurges.entries(tx, tenantId, span)) return copyBytes(key);
  return undefined;
}
