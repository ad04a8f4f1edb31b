/**
 * The stored form of superseded revisions: each holds its record as that was stored, byte for byte.
 *
 * | Bytes | Member                                                       |
 * | ----- | ------------------------------------------------------------ |
 * | 1     | flags                                                        |
 * | 8     | when it was superseded                                       |
 * | 0, 26 | if redacted: when, id of the credential, size of the subject |
 * | n     | if redacted: the subject in UTF-8                            |
 * | 1     | version of the layout of the record                          |
 * | n     | content of the record                                        |
 *
 * The record of a redacted revision has no payload.
 */
import { uuidAt, writeUuid } from '../../../storage/store/key.js';
import type { ContentSpan, ValueLayout } from '../../../storage/store/value.js';
import {
  readCommandKey,
  recordLayout,
  type StoredRecord,
  withoutAttached,
} from '../record/record-layout.js';
import type { Author } from '../documents/author-schema.js';

/** Who took the payload of a revision away, and when. */
export interface Redaction {
  readonly atMillis: number;
  readonly author: Author;
}

/** A superseded revision as it is written. */
export interface WrittenRevision {
  readonly supersededAtMillis: number;
  /** Null unless the payload was taken away. */
  readonly redaction: Redaction | null;
  /** Version and content of the stored record. */
  readonly record: Uint8Array;
}

/** A superseded revision. */
export interface StoredRevision extends Omit<WrittenRevision, 'record'> {
  readonly record: StoredRecord;
  /** Key of the command or batch that made it; null where none was stored. */
  readonly idempotencyKey: string | null;
}

const IS_REDACTED = 1;
const SUPERSEDED_AT = 1;
const REDACTED_AT = SUPERSEDED_AT + 8;
const REDACTED_BY = REDACTED_AT + 8;
const SUBJECT_SIZE_AT = REDACTED_BY + 16;
const SUBJECT_AT = SUBJECT_SIZE_AT + 2;

/** The layout of superseded revisions. */
export const revisionLayout: ValueLayout<WrittenRevision, StoredRevision> = {
  version: 1,
  encode: ({ supersededAtMillis, redaction, record }, before, behind) => {
    const subjectSize = Buffer.byteLength(redaction?.author.subject_id ?? '', 'utf8');
    const recordAt = before + (redaction === null ? REDACTED_AT : SUBJECT_AT + subjectSize);
    const bytes = Buffer.allocUnsafe(recordAt + record.length + behind);
    bytes[before] = redaction === null ? 0 : IS_REDACTED;
    bytes.writeDoubleBE(supersededAtMillis, before + SUPERSEDED_AT);
    if (redaction !== null) {
      bytes.writeDoubleBE(redaction.atMillis, before + REDACTED_AT);
      writeUuid(bytes, before + REDACTED_BY, redaction.author.credential_id);
      bytes.writeUInt16BE(subjectSize, before + SUBJECT_SIZE_AT);
      bytes.write(redaction.author.subject_id, before + SUBJECT_AT, 'utf8');
    }
    bytes.set(record, recordAt);
    return bytes;
  },
  decode: (content) => {
    const { redaction, recordAt } = redactionIn(content);
    const { bytes, start, end } = content;
    const version = bytes[recordAt] ?? 0;
    const span = { bytes, start: recordAt + 1, end };
    return {
      supersededAtMillis: bytes.readDoubleBE(start + SUPERSEDED_AT),
      redaction,
      record: recordIn(version, span),
      idempotencyKey: readCommandKey(span),
    };
  },
};

/** Returns a stored revision as it is written. */
export function rewritten({
  supersededAtMillis,
  redaction,
  record,
  idempotencyKey,
}: StoredRevision): WrittenRevision {
  const bytes = recordLayout.encode({ ...record, idempotencyKey }, 1, 0);
  bytes[0] = recordLayout.version;
  return { supersededAtMillis, redaction, record: bytes };
}

/** Returns a revision without its payload, and with who took it away. */
export function redacted(
  { supersededAtMillis, record, idempotencyKey }: StoredRevision,
  redaction: Redaction,
): WrittenRevision {
  const stub = { ...withoutAttached(record), payload: null };
  return rewritten({ supersededAtMillis, redaction, record: stub, idempotencyKey });
}

/** Returns whether the payload of a stored revision was taken away, without decoding its record. */
export function isRedactedIn({ bytes, start }: ContentSpan): boolean {
  return bytes[start] === IS_REDACTED;
}

/** Returns when a stored revision was superseded, without decoding its record. */
export function supersededAtIn({ bytes, start }: ContentSpan): number {
  return bytes.readDoubleBE(start + SUPERSEDED_AT);
}

function redactionIn({ bytes, start }: ContentSpan): {
  readonly redaction: Redaction | null;
  readonly recordAt: number;
} {
  if (bytes[start] === 0) return { redaction: null, recordAt: start + REDACTED_AT };
  const recordAt = start + SUBJECT_AT + bytes.readUInt16BE(start + SUBJECT_SIZE_AT);
  const author = {
    credential_id: uuidAt(bytes, start + REDACTED_BY),
    subject_id: bytes.toString('utf8', start + SUBJECT_AT, recordAt),
  };
  return {
    redaction: { atMillis: bytes.readDoubleBE(start + REDACTED_AT), author },
    recordAt,
  };
}

function recordIn(version: number, span: ContentSpan): StoredRecord {
  if (version !== recordLayout.version) throw new RangeError('A revision of an unknown layout.');
  return recordLayout.decode(span);
}
