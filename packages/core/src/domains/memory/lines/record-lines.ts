/** Lines of records and of their superseded revisions. */
import { trailingUuid } from '../../../storage/store/key.js';
import type { Entry } from '../../../storage/store/store.js';
import type { StoredMerged } from '../branch/merge-store.js';
import { contentOf } from '../../../storage/store/value.js';
import { revisionInKey } from '../record/keyed-record.js';
import { memoryRecords } from '../record/memory-store.js';
import { readCommandKey, type StoredRecord } from '../record/record-layout.js';
import { memorySources } from '../record/source-store.js';
import type { BasesOf } from './branch-lines.js';
import { memoryRevisions } from '../revision/revision-store.js';

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
