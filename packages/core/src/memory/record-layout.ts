/** The stored form of records, and its conversion to documents. */
import { nested, number, orNull, spread, text } from '../storage/store/fields.js';
import { fieldsLayout, type ValueOf } from '../storage/store/layouts.js';
import { payloadFields } from './payload-members.js';
import type { Author, MemoryRecord } from './schema.js';

/** The record id is a part of the key. */
export const recordLayout = fieldsLayout(1, {
  revision: number,
  createdAtMillis: number,
  modifiedAtMillis: number,
  author: spread<Author>({ credential_id: text, subject_id: text }),
  /** Null in the tombstone of a deleted record. */
  payload: orNull(nested(payloadFields)),
});

/** A stored record or tombstone. */
export type StoredRecord = ValueOf<typeof recordLayout>;

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
    revision: record.revision,
    created_at_millis: record.createdAtMillis,
    modified_at_millis: record.modifiedAtMillis,
    author: record.author,
    payload: record.payload,
  };
}
