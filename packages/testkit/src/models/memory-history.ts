/** Revisions of records in plain objects, from the contract alone (docs/contract/history.md). */
import type { MemoryRecord, MemoryRevision } from '@agentkeep/core';
import { Refusal } from './outcome.js';

const DAY_MS = 86_400_000;

/** How long the memory of a tenant is kept. */
export interface ModelRetention {
  readonly revisions_max: number;
  readonly revision_days: number;
  readonly deleted_days: number;
  readonly lifetime_seconds: number | null;
}

/** What holds where nothing is set. */
export const DEFAULT_RETENTION: ModelRetention = {
  revisions_max: 100,
  revision_days: 30,
  deleted_days: 0,
  lifetime_seconds: null,
};

/** A time, and what is kept then. */
export interface At {
  readonly now: number;
  readonly retention: ModelRetention;
}

/** A record, or the rest of a deleted one. */
export type ModelRecord = Omit<MemoryRecord, 'payload'> & {
  readonly payload: MemoryRecord['payload'] | null;
};

/** A superseded revision. */
interface Past {
  readonly record: ModelRecord;
  readonly key: string;
  readonly supersededAt: number;
  readonly redacted: MemoryRevision['redacted'];
}

/** A record with the revisions before, the newest last, and the key of its last command. */
export interface Entry {
  readonly space: string;
  readonly record: ModelRecord;
  readonly key: string;
  readonly past: readonly Past[];
  /** When the content of a deleted record goes; `null` if it went at once, or is current. */
  readonly keptUntil: number | null;
}

/** The revisions of a record that are kept, the newest first, without the current one. */
function keptOf(entry: Entry, { now, retention }: At): Past[] {
  const { record, past } = entry;
  const isBeforeDeletion = (each: Past): boolean =>
    record.payload === null && each.record.revision === record.revision - 1;
  const isKept = (each: Past): boolean =>
    isBeforeDeletion(each) ||
    (record.revision - each.record.revision <= retention.revisions_max &&
      now < each.supersededAt + retention.revision_days * DAY_MS);
  return past.filter(isKept).toReversed();
}

/** Refuses a deleted record of which nothing is kept. */
function requireContent(entry: Entry, at: At): void {
  if (!isContentKept(entry, at)) throw new Refusal('record_not_found');
}

/** Whether a record isn't deleted, or its content is kept. */
export function isContentKept(entry: Entry, at: At): boolean {
  const { record, keptUntil: until } = entry;
  const end = record.modified_at_millis + at.retention.deleted_days * DAY_MS;
  return record.payload !== null || (until !== null && at.now < Math.min(until, end));
}

/** When the content of a record goes that is deleted now; `null` for at once. */
export function keptUntil({ now, retention }: At): number | null {
  return retention.deleted_days === 0 ? null : now + retention.deleted_days * DAY_MS;
}

/** The payload of a revision. */
export function payloadAt(
  entry: Entry,
  revision: number,
  at: At,
): NonNullable<ModelRecord['payload']> {
  return recordAt(entry, revision, at).payload;
}

/** A record as it was in a revision. */
export function recordAt(entry: Entry, revision: number, at: At): MemoryRecord {
  requireContent(entry, at);
  const { record } = entry;
  const found =
    revision === record.revision
      ? record
      : keptOf(entry, at).find((each) => each.record.revision === revision)?.record;
  return withPayload(found);
}

/** A record or deletion as it was in a revision; `undefined` where that isn't kept. */
export function standingRecord(
  entry: Entry | undefined,
  revision: number,
  at: At,
): ModelRecord | undefined {
  if (entry === undefined || entry.record.revision === revision) return entry?.record;
  if (!isContentKept(entry, at)) return undefined;
  const found = keptOf(entry, at).find((each) => each.record.revision === revision);
  return found?.redacted === null ? found.record : undefined;
}

/** A record as it was at a time. */
export function recordAsOf(entry: Entry, atMillis: number, at: At): MemoryRecord {
  requireContent(entry, at);
  const newest = [entry.record, ...keptOf(entry, at).map(({ record }) => record)];
  const found = withPayload(newest.find((each) => each.modified_at_millis <= atMillis));
  const { valid_until_millis: end } = found.payload;
  if (end !== null && atMillis >= end) throw new Refusal('record_not_found');
  return found;
}

/** Everything that is kept of a record, as it is listed. */
export function revisionsOf(entry: Entry, at: At): MemoryRevision[] {
  requireContent(entry, at);
  const shown = (record: ModelRecord, rest: Pick<MemoryRevision, Rest>): MemoryRevision => ({
    revision: record.revision,
    ...(record.name === undefined ? {} : { name: record.name }),
    modified_at_millis: record.modified_at_millis,
    author: record.author,
    ...(record.merged_by === undefined ? {} : { merged_by: record.merged_by }),
    payload: record.payload,
    ...rest,
  });
  const current = { superseded_at_millis: null, idempotency_key: entry.key, redacted: null };
  return [
    shown(entry.record, current),
    ...keptOf(entry, at).map(({ record, key, supersededAt, redacted }) =>
      shown(record, { superseded_at_millis: supersededAt, idempotency_key: key, redacted }),
    ),
  ];
}

type Rest = 'superseded_at_millis' | 'idempotency_key' | 'redacted';

/** The entry with the payload of a superseded revision taken away. */
export function redactedEntry(
  entry: Entry,
  revision: number,
  { author, ...at }: At & { readonly author: MemoryRecord['author'] },
): Entry {
  requireContent(entry, at);
  if (revision === entry.record.revision) throw new Refusal('current_revision');
  const kept = keptOf(entry, at).find((each) => each.record.revision === revision);
  if (kept === undefined) throw new Refusal('record_not_found');
  if (kept.redacted !== null) return entry;
  withPayload(kept.record);
  const redacted = { at_millis: at.now, author };
  const record: { -readonly [P in keyof ModelRecord]: ModelRecord[P] } = { ...kept.record };
  delete record.merged_by;
  const stub = { ...kept, record: { ...record, payload: null }, redacted };
  return { ...entry, past: entry.past.map((each) => (each === kept ? stub : each)) };
}

function withPayload(record: ModelRecord | undefined): MemoryRecord {
  const { payload } = record ?? {};
  if (record === undefined || !payload) throw new Refusal('record_not_found');
  return { ...record, payload };
}

/** A record as a read shows it; `undefined` if it is deleted or expired. */
export function visible({ record }: Entry, now: number): MemoryRecord | undefined {
  const { payload } = record;
  if (payload === null) return undefined;
  const { valid_until_millis: end } = payload;
  return end === null || now < end ? { ...record, payload } : undefined;
}
