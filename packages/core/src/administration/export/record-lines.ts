/** Lines of records and of their superseded revisions. */
import { asBuffer } from '../../storage/store/bytes.js';
import { trailingUuid } from '../../storage/store/key.js';
import type { Entry } from '../../storage/store/store.js';
import { contentOf } from '../../storage/store/value.js';
import { revisionInKey } from '../../memory/record/keyed-record.js';
import { memorySubspaces } from '../../memory/record/memory-store.js';
import { commandKeyOf, type StoredRecord } from '../../memory/record/record-layout.js';
import { sourceSubspaces } from '../../memory/record/source-store.js';
import { revisionSubspaces } from '../../memory/revision/revision-store.js';

/** A source of a revision: digest of its namespace, record id, revision. */
export type ShownSource = readonly [namespace: string, recordId: string, revision: number];

/** Sources of revisions, by record id and revision. */
export type SourcesOf = ReadonlyMap<string, readonly ShownSource[]>;

/** Shows an entry of a record; `undefined` for a tombstone, unless history is wanted. */
export function recordLine(
  { key, value }: Entry,
  namespace: string,
  { sources, withHistory }: { readonly sources: SourcesOf; readonly withHistory: boolean },
): object | undefined {
  const record = memorySubspaces.memoryRecords.open(key, value);
  if (record.payload === null && !withHistory) return undefined;
  const recordId = trailingUuid(key);
  const idempotencyKey = commandKeyOf(asBuffer(value)[0] ?? 0, contentOf(value));
  return {
    line: 'record',
    namespace,
    record: shownRecord(recordId, record),
    ...besides(record, idempotencyKey, sources.get(nameOf(recordId, record.revision))),
  };
}

/** Shows an entry of a superseded revision. */
export function revisionLine(
  { key, value }: Entry,
  namespace: string,
  { sources }: { readonly sources: SourcesOf },
): object {
  const { record, supersededAtMillis, redaction, idempotencyKey } =
    revisionSubspaces.memoryRevisions.open(key, value);
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
      return [nameOf(recordId, revision), sourceSubspaces.memorySources.open(key, value)] as const;
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
