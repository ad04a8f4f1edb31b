/** The stored form of records, and its conversion to documents. */
import { nested, number, orNull, spread, text } from '../storage/store/fields.js';
import { fieldsLayout } from '../storage/store/layouts.js';
import type { ContentSpan, ValueLayout } from '../storage/store/value.js';
import { payloadFields } from './payload-members.js';
import type { Author, MemoryRecord, RecordPayload } from './schema.js';

interface UnnamedRecord {
  readonly revision: number;
  readonly createdAtMillis: number;
  readonly modifiedAtMillis: number;
  readonly author: Author;
  /** Null in the tombstone of a deleted record. */
  readonly payload: RecordPayload | null;
}

/** A stored record or tombstone. Its id is a part of the key. */
export interface StoredRecord extends UnnamedRecord {
  /** Null for a record without a name, and in a tombstone. */
  readonly name: string | null;
}

const unnamedFields = {
  revision: number,
  createdAtMillis: number,
  modifiedAtMillis: number,
  author: spread<Author>({ credential_id: text, subject_id: text }),
  payload: orNull(nested(payloadFields)),
};

/** Version 1 had no names. */
const layout1 = fieldsLayout<UnnamedRecord>(1, unnamedFields);

/** The layout of records. */
export const recordLayout: ValueLayout<StoredRecord> = {
  ...fieldsLayout<StoredRecord>(2, { ...unnamedFields, name: orNull(text) }),
  earlier: { 1: (content: ContentSpan) => ({ ...layout1.decode(content), name: null }) },
};

/** Returns whether a record is neither deleted nor expired. It expires at `valid_until_millis`. */
export function isVisible(record: StoredRecord, nowMs: number): boolean {
  const end = record.payload?.valid_until_millis;
  return end !== undefined && (end === null || nowMs < end);
}

/** Shows a record that is not deleted. */
export function showRecord(recordId: string, record: StoredRecord): MemoryRecord {
  if (record.payload === null) throw new TypeError('A tombstone cannot be shown.');
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
