/**
 * How a record is stored: an array of fields, embeddings as packed 32-bit floats.
 * @module
 */
import type { Author, EpisodeType, MemoryRecord, RecordPayload } from './schema.js';

/** A record or, without a payload, the tombstone of one. */
export interface StoredRecord {
  readonly revision: number;
  readonly createdAtMillis: number;
  readonly modifiedAtMillis: number;
  readonly author: Author;
  readonly payload: RecordPayload | null;
}

/** The stored form; the record id is part of the key. */
export type RecordFields = readonly [
  revision: number,
  createdAtMillis: number,
  modifiedAtMillis: number,
  credentialId: string,
  subjectId: string,
  payload: PayloadFields | null,
];

type PayloadFields = readonly [
  episodeType: EpisodeType,
  primary: string,
  secondary: string | null,
  context: string | null,
  data: unknown,
  embedding: string | null,
  eventTimeMillis: number,
  validUntilMillis: number | null,
  tags: string[],
  metadata: Record<string, unknown>,
];

/** The fields of a record. */
export function recordFields(record: StoredRecord): RecordFields {
  const { revision, createdAtMillis, modifiedAtMillis, author, payload } = record;
  return [
    revision,
    createdAtMillis,
    modifiedAtMillis,
    author.credential_id,
    author.subject_id,
    payload === null ? null : payloadFields(payload),
  ];
}

/** The record of such fields. */
export function recordOf(fields: RecordFields): StoredRecord {
  const [revision, createdAtMillis, modifiedAtMillis, credential_id, subject_id, payload] = fields;
  return {
    revision,
    createdAtMillis,
    modifiedAtMillis,
    author: { credential_id, subject_id },
    payload: payload === null ? null : payloadOf(payload),
  };
}

/** Whether a record is neither deleted nor expired; the end of validity is outside. */
export function isVisible(record: StoredRecord, nowMs: number): boolean {
  const end = record.payload?.valid_until_millis;
  return end !== undefined && (end === null || nowMs < end);
}

/** A record as it is shown. */
export function showRecord(recordId: string, record: StoredRecord): MemoryRecord {
  if (record.payload === null) throw new TypeError('A tombstone is never shown.');
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

function payloadFields(payload: RecordPayload): PayloadFields {
  const { primary, secondary, context, data, embedding } = payload.content;
  return [
    payload.episode_type,
    primary,
    secondary,
    context,
    data,
    embedding === null ? null : packFloats(embedding),
    payload.event_time_millis,
    payload.valid_until_millis,
    payload.tags,
    payload.metadata,
  ];
}

function payloadOf(fields: PayloadFields): RecordPayload {
  const [episode_type, primary, secondary, context, data, embedding] = fields;
  const [, , , , , , event_time_millis, valid_until_millis, tags, metadata] = fields;
  return {
    episode_type,
    content: {
      primary,
      secondary,
      context,
      data,
      embedding: embedding === null ? null : unpackFloats(embedding),
    },
    event_time_millis,
    valid_until_millis,
    tags,
    metadata,
  };
}

function packFloats(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeFloatLE(number, index * 4));
  return bytes.toString('base64');
}

function unpackFloats(packed: string): number[] {
  const bytes = Buffer.from(packed, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}
