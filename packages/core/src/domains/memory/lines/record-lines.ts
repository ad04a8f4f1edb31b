/**
 * Lines of records and of their superseded revisions: exports show them, and imports store them
 * where nothing is stored yet.
 */
import { branchOf, type Namespace } from '../../../kernel/access/namespace.js';
import { trailingUuid } from '../../../storage/store/key.js';
import type { Entry, WriteTx } from '../../../storage/store/store.js';
import { contentOf } from '../../../storage/store/value.js';
import {
  type Importing,
  isStorable,
  knownAs,
  type LineOutcome,
  type StoreLine,
} from '../../../upkeep/lines/stored-line.js';
import { noteBranchWrite, putMerged, type StoredMerged } from '../branch/merge-store.js';
import { appendChange } from '../journal/change-store.js';
import { revisionInKey } from '../record/keyed-record.js';
import {
  findRecord,
  idOfName,
  memoryRecords,
  sealRecord,
  storeName,
  storeRecord,
} from '../record/memory-store.js';
import {
  readCommandKey,
  recordLayout,
  type StoredRecord,
  type WrittenRecord,
} from '../record/record-layout.js';
import { searchPartsOf } from '../record/search-entry.js';
import { type KnownSource, memorySources, storeSources } from '../record/source-store.js';
import { memoryRevisions, sealRevision } from '../revision/revision-store.js';
import { awaitsReview } from '../writing/change-write.js';
import type { BasesOf } from './branch-lines.js';
import type { RecordLine, RevisionLine } from './line-schemas.js';

/** A source of a revision: digest of its namespace, null once that was erased; id, revision. */
type ShownSource = readonly [namespace: string | null, recordId: string, revision: number];

/** Sources of revisions, by record id and revision. */
export type SourcesOf = ReadonlyMap<string, readonly ShownSource[]>;

/** What other families have of records. */
export interface BesideRecords {
  readonly namespace: string;
  readonly sources: SourcesOf;
  /** Of records in a branch. */
  readonly bases: BasesOf;
}

/**
 * Shows an entry of a record; `undefined` for a tombstone, unless history is wanted, or a branch
 * deleted the record.
 */
export function recordLine(
  { key, value }: Entry,
  beside: BesideRecords & { readonly withHistory: boolean },
): object | undefined {
  const { namespace, sources, bases, withHistory } = beside;
  const record = memoryRecords.open(key, value);
  const recordId = trailingUuid(key);
  const base = bases.get(recordId);
  if (record.payload === null && !withHistory && base === undefined) return undefined;
  const idempotencyKey = readCommandKey(contentOf(value));
  return {
    line: 'record',
    namespace,
    record: shownRecord(recordId, record),
    ...besides(record, idempotencyKey, sources.get(nameOf(recordId, record.revision))),
    ...(base === undefined ? {} : { base: shownBase(base) }),
  };
}

function shownBase({ outside, ofBranch, copied, earlier }: StoredMerged): object {
  return {
    revision: outside,
    revision_in_branch: ofBranch,
    ...(copied === 0 ? {} : { copied_revision: copied }),
    ...(earlier.length === 0 ? {} : { earlier }),
  };
}

/** Shows an entry of a superseded revision. */
export function revisionLine({ key, value }: Entry, { namespace, sources }: BesideRecords): object {
  const { record, supersededAtMillis, redaction, idempotencyKey } = memoryRevisions.open(
    key,
    value,
  );
  const { recordId, revision } = revisionInKey(key);
  return {
    line: 'revision',
    namespace,
    record: shownRecord(recordId, record),
    ...besides(record, idempotencyKey, sources.get(nameOf(recordId, revision))),
    superseded_at_millis: supersededAtMillis,
    ...(redaction === null
      ? {}
      : { redaction: { at_millis: redaction.atMillis, author: redaction.author } }),
  };
}

/** Returns the sources in entries of `memorySources`. */
export function sourcesIn(entries: readonly Entry[]): SourcesOf {
  return new Map(
    entries.map(({ key, value }) => {
      const { recordId, revision } = revisionInKey(key);
      return [nameOf(recordId, revision), memorySources.open(key, value)] as const;
    }),
  );
}

function nameOf(recordId: string, revision: number): string {
  return `${recordId} ${String(revision)}`;
}

function shownRecord(recordId: string, record: StoredRecord): object {
  return {
    schema_version: 1,
    record_id: recordId,
    ...(record.name === null ? {} : { name: record.name }),
    revision: record.revision,
    created_at_millis: record.createdAtMillis,
    modified_at_millis: record.modifiedAtMillis,
    author: record.author,
    payload: record.payload,
    ...(record.mergedBy === undefined ? {} : { merged_by: record.mergedBy }),
  };
}

/** What is stored beside a document; members that say nothing are left out. */
function besides(
  { attached, keptUntilMillis }: StoredRecord,
  idempotencyKey: string | null,
  sources: readonly ShownSource[] | undefined,
): object {
  return {
    ...(attached === undefined ? {} : { attached: Object.fromEntries(attached) }),
    ...(keptUntilMillis === null ? {} : { kept_until_millis: keptUntilMillis }),
    ...(idempotencyKey === null ? {} : { idempotency_key: idempotencyKey }),
    ...(sources === undefined ? {} : { sources }),
  };
}

/** Prepares a record. Its change is appended to those of the tenant, unless it is a deleted one. */
export function recordWrite(
  namespace: Namespace,
  line: RecordLine,
  importer: Importing,
): StoreLine | LineOutcome {
  const { record_id: recordId, payload } = line.record;
  const record = writtenRecord(line);
  const parts = payload === null ? null : searchPartsOf(payload);
  const sealed = sealRecord(namespace, recordId, record, parts);
  if (!isStorable(sealed.record) || !isStorable(sealed.search)) return 'invalid';
  return (tx) => {
    const known = knownAs(tx, sealed.record);
    if (known !== undefined) return known;
    if (awaitsReview(tx, namespace, importer.credential)) return 'review_required';
    const { name, revision } = record;
    if (name !== null && payload !== null) {
      if ((idOfName(tx, namespace, name) ?? recordId) !== recordId) return 'name_taken';
      storeName(tx, namespace, name, recordId);
    }
    storeRecord(tx, sealed, payload === null ? 0 : 1);
    storeSourcesOf(tx, namespace, line, importer);
    const isInBranch = branchOf(namespace.parts) !== undefined;
    if (line.base !== undefined && isInBranch) {
      const { revision: outside, revision_in_branch: ofBranch } = line.base;
      const { copied_revision: copied = 0, earlier = [] } = line.base;
      putMerged(tx, namespace, recordId, { ofBranch, outside, copied, earlier });
    }
    // The view of a branch follows its changes, also those that delete.
    if (payload !== null || isInBranch) {
      const action = payload === null ? 'deleted' : 'created';
      const change = { recordId, revision, action, committedAtMillis: importer.nowMs } as const;
      appendChange(tx, namespace, change);
      noteBranchWrite(tx, namespace, change);
    }
    return 'stored';
  };
}

/** Prepares a superseded revision. */
export function revisionWrite(
  namespace: Namespace,
  line: RevisionLine,
  importer: Importing,
): StoreLine | LineOutcome {
  const { record_id: recordId, revision } = line.record;
  const bytes = recordLayout.encode(writtenRecord(line), 1, 0);
  bytes[0] = recordLayout.version;
  const { redaction } = line;
  const sealed = sealRevision({ namespace, recordId }, revision, {
    supersededAtMillis: line.superseded_at_millis,
    redaction: redaction === undefined ? null : { ...redaction, atMillis: redaction.at_millis },
    record: bytes,
  });
  if (!isStorable(sealed)) return 'invalid';
  return (tx) => {
    const known = knownAs(tx, sealed);
    if (known !== undefined) return known;
    if (awaitsReview(tx, namespace, importer.credential)) return 'review_required';
    const current = findRecord(tx, namespace, recordId);
    if (current !== undefined && current.revision <= revision) return 'conflict';
    tx.put(sealed.key, sealed.value);
    storeSourcesOf(tx, namespace, line, importer);
    return 'stored';
  };
}

function writtenRecord(line: RecordLine | RevisionLine): WrittenRecord {
  const { record, attached, kept_until_millis, idempotency_key } = line;
  return {
    revision: record.revision,
    createdAtMillis: record.created_at_millis,
    modifiedAtMillis: record.modified_at_millis,
    author: record.author,
    payload: record.payload,
    name: record.name ?? null,
    ...(record.merged_by === undefined ? {} : { mergedBy: record.merged_by }),
    ...(attached === undefined ? {} : { attached: new Map(Object.entries(attached)) }),
    keptUntilMillis: kept_until_millis ?? null,
    idempotencyKey: idempotency_key ?? null,
  };
}

function storeSourcesOf(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  { record, sources }: RecordLine | RevisionLine,
  { isErasedSource }: Importing,
): void {
  if (sources === undefined) return;
  const from = sources.map(([text, recordId, revision]): KnownSource => {
    const isErased = text === null || isErasedSource(tx, text, record.modified_at_millis);
    return { digest: isErased ? null : Buffer.from(text, 'base64url'), recordId, revision };
  });
  const derived = { digest, recordId: record.record_id, revision: record.revision };
  storeSources(tx, tenantId, derived, from);
}
