/**
 * The stored form of records, and its conversion to documents. The head (revision, times,
 * credential and the key of the command) is binary, because every command stores one, and UUIDs
 * take less than half of their text.
 */
import { isJsonObject } from '../../../contract/schema/json-value.js';
import {
  addedLast,
  type Fields,
  nested,
  orNull,
  spread,
  text,
} from '../../../storage/store/fields.js';
import { uuidAt, writeUuid } from '../../../storage/store/key.js';
import type { ContentSpan, ValueLayout } from '../../../storage/store/value.js';
import type { Author } from '../documents/author-schema.js';
import { DEFAULT_SPACE } from '../documents/default-space.js';
import type { LostSource } from '../documents/lineage-schema.js';
import { embeddingField, payloadFields } from '../documents/normal-form.js';
import type { MemoryRecord, RecordPayload } from '../documents/schema.js';
import type { CurrentState } from '../retention/retention-policy.js';

/** Embeddings by the name of their space. */
export type AttachedEmbeddings = ReadonlyMap<string, readonly number[]>;

/** A stored record or tombstone. Its id is a part of the key. */
export interface StoredRecord {
  readonly revision: number;
  readonly createdAtMillis: number;
  readonly modifiedAtMillis: number;
  readonly author: Author;
  /** Null in the tombstone of a deleted record. */
  readonly payload: RecordPayload | null;
  /** Null for a record without a name, and in a tombstone. */
  readonly name: string | null;
  /** Embeddings that were attached to this revision, beside its payload, by their space. */
  readonly attached?: AttachedEmbeddings | undefined;
  /** Who merged this revision from a branch; absent where it was written outside of branches. */
  readonly mergedBy?: Author | undefined;
  /** What was taken away of its sources; never stored, and absent where nothing was. */
  readonly lostSources?: readonly LostSource[];
  /** In a tombstone, when the content of the deleted record goes; null if it went at once. */
  readonly keptUntilMillis: number | null;
}

/** A record as it is written: with the key of the command or batch that made the revision. */
export interface WrittenRecord extends StoredRecord {
  /** Null where none is known. Only `readCommandKey()` reads it. */
  readonly idempotencyKey: string | null;
}

/** What follows the head of a record. */
interface RecordTail extends Pick<StoredRecord, 'payload' | 'name'> {
  readonly subjectId: string;
}

const tailFields: Fields<RecordTail> = {
  subjectId: text,
  payload: orNull(nested(payloadFields)),
  name: addedLast<string>(),
};
const tail = spread(tailFields);
/** Attached embeddings follow the name, or null. */
const ATTACHED_AT = tail.elements;

const VERSION = 3;

/** The layout of records: a binary head, then subject, payload and name as JSON. */
export const recordLayout: ValueLayout<WrittenRecord, StoredRecord> = {
  version: VERSION,
  encode: (record, before, behind) => {
    const { author, payload, name, attached, mergedBy } = record;
    const isDeleted = payload === null;
    const head: RecordHead = { ...record, isDeleted, credentialId: author.credential_id };
    const array: unknown[] = [];
    tail.write({ subjectId: author.subject_id, payload, name }, array);
    if (attached !== undefined) {
      if (name === null) array.push(null);
      writeAttached(attached, array);
    }
    // The only object among texts and arrays, at the end.
    if (mergedBy !== undefined) array.push(mergedBy);
    const json = JSON.stringify(array);
    const at = before + headSize(head);
    const bytes = Buffer.allocUnsafe(at + Buffer.byteLength(json, 'utf8') + behind);
    writeHead(bytes, before, head);
    bytes.write(json, at, 'utf8');
    return bytes;
  },
  decode: (content) => {
    const head = readHead(content);
    const { revision, createdAtMillis, modifiedAtMillis, keptUntilMillis } = head;
    const json = content.bytes.toString('utf8', head.end, content.end);
    const array = JSON.parse(json) as unknown[];
    const mergedBy = takeMergedBy(array);
    const { subjectId, payload, name } = tail.read(array, 0);
    const author = { credential_id: head.credentialId, subject_id: subjectId };
    const times = { createdAtMillis, modifiedAtMillis, keptUntilMillis };
    const record = { revision, ...times, author, payload, name };
    const isPlain = mergedBy === undefined && array.length <= ATTACHED_AT;
    return isPlain ? record : { ...record, ...furtherOf(array, mergedBy) };
  },
};

/** Returns the members that few records have. */
function furtherOf(array: readonly unknown[], mergedBy: Author | undefined) {
  const isAttached = array.length > ATTACHED_AT;
  return {
    ...(mergedBy === undefined ? {} : { mergedBy }),
    ...(isAttached ? { attached: readAttached(array.slice(ATTACHED_AT)) } : {}),
  };
}

/** Takes who merged a revision from the end of its members, if it was merged. */
function takeMergedBy(array: unknown[]): Author | undefined {
  return isJsonObject(array.at(-1)) ? (array.pop() as Author) : undefined;
}

/** Appends the embedding of the default space, then name and embedding of each other one. */
function writeAttached(attached: AttachedEmbeddings, array: unknown[]): void {
  const own = attached.get(DEFAULT_SPACE);
  embeddingField.write(own === undefined ? null : [...own], array);
  for (const [space, values] of attached) {
    if (space === DEFAULT_SPACE) continue;
    array.push(space);
    embeddingField.write([...values], array);
  }
}

function readAttached(array: readonly unknown[]): AttachedEmbeddings {
  const attached = new Map<string, readonly number[]>();
  const own = embeddingField.read(array, 0);
  if (own !== null) attached.set(DEFAULT_SPACE, own);
  for (let at = 1; at < array.length; at += 2) {
    attached.set(array[at] as string, embeddingField.read(array, at + 1) ?? []);
  }
  return attached;
}

/** Reads the state of a record, without decoding its content where it can. */
export const recordStateLayout: ValueLayout<never, CurrentState> = {
  version: VERSION,
  encode: () => {
    throw new TypeError('A state is never stored.');
  },
  decode: readHead,
};

/** Returns whether a record is neither deleted nor expired. It expires at `valid_until_millis`. */
export function isVisible({ payload }: StoredRecord, nowMs: number): boolean {
  const endMillis = payload?.valid_until_millis;
  return endMillis !== undefined && (endMillis === null || nowMs < endMillis);
}

/** Returns a record without what belongs to its revision only, beside its payload. */
export function withoutAttached({
  attached: _attached,
  mergedBy: _mergedBy,
  ...record
}: StoredRecord): StoredRecord {
  return record;
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
    ...(record.mergedBy === undefined ? {} : { merged_by: record.mergedBy }),
    payload: record.payload,
    ...(record.lostSources === undefined ? {} : { lost_sources: [...record.lostSources] }),
  };
}

const IS_MODIFIED = 1;
const IS_KEPT = 2;
const HAS_UUID_KEY = 4;
const HAS_TEXT_KEY = 8;
const IS_DELETED = 16;

/** The first byte of a revision that takes eight more. */
const LONG_REVISION = 255;
const DOUBLE_BYTES = 8;
const UUID_BYTES = 16;

/** A lower-case UUID, which 16 bytes give back as it was. */
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * The members of a head.
 *
 * | Bytes   | Member                                                          |
 * | ------- | --------------------------------------------------------------- |
 * | 1       | flags                                                           |
 * | 1 or 9  | revision: one byte below 255, else 255 and eight bytes          |
 * | 8       | when the record was created                                     |
 * | 0 or 8  | when the revision was made, if that is another time             |
 * | 0 or 8  | when the content of a deleted record goes, if it is kept        |
 * | 16      | id of the credential                                            |
 * | 16 or n | key of the command: a UUID, or one byte of length and its UTF-8 |
 *
 * A record may have no key: an import doesn't know those of all revisions.
 */
export interface RecordHead {
  readonly revision: number;
  readonly createdAtMillis: number;
  readonly modifiedAtMillis: number;
  readonly keptUntilMillis: number | null;
  readonly isDeleted: boolean;
  readonly credentialId: string;
  /** 1 to 256 bytes of UTF-8; null where none is known. */
  readonly idempotencyKey: string | null;
}

/** Returns the bytes that a head takes. */
function headSize(head: RecordHead): number {
  const isModified = head.modifiedAtMillis !== head.createdAtMillis;
  return (
    1 +
    (head.revision < LONG_REVISION ? 1 : 1 + DOUBLE_BYTES) +
    DOUBLE_BYTES +
    (isModified ? DOUBLE_BYTES : 0) +
    (head.keptUntilMillis === null ? 0 : DOUBLE_BYTES) +
    UUID_BYTES +
    keySize(head.idempotencyKey)
  );
}

function keySize(key: string | null): number {
  if (key === null) return 0;
  return UUID.test(key) ? UUID_BYTES : 1 + Buffer.byteLength(key, 'utf8');
}

/** Writes a head. */
function writeHead(bytes: Buffer, start: number, head: RecordHead): void {
  const { revision, createdAtMillis, modifiedAtMillis, keptUntilMillis, idempotencyKey } = head;
  const isModified = modifiedAtMillis !== createdAtMillis;
  const keyFlag = flagOf(idempotencyKey);
  let at = start + 1;
  bytes[start] =
    (isModified ? IS_MODIFIED : 0) |
    (keptUntilMillis === null ? 0 : IS_KEPT) |
    (head.isDeleted ? IS_DELETED : 0) |
    keyFlag;
  bytes[at++] = Math.min(revision, LONG_REVISION);
  if (revision >= LONG_REVISION) at = bytes.writeDoubleBE(revision, at);
  at = bytes.writeDoubleBE(createdAtMillis, at);
  if (isModified) at = bytes.writeDoubleBE(modifiedAtMillis, at);
  if (keptUntilMillis !== null) at = bytes.writeDoubleBE(keptUntilMillis, at);
  at = writeUuid(bytes, at, head.credentialId);
  if (idempotencyKey === null) return;
  if (keyFlag === HAS_UUID_KEY) writeUuid(bytes, at, idempotencyKey);
  // A key has at least one byte, so 256 fits.
  else bytes[at] = bytes.write(idempotencyKey, at + 1, 'utf8') - 1;
}

function flagOf(key: string | null): number {
  if (key === null) return 0;
  return UUID.test(key) ? HAS_UUID_KEY : HAS_TEXT_KEY;
}

/** A head without the key of the command, and where it ends. */
export type ReadHead = Omit<RecordHead, 'idempotencyKey'> & { readonly end: number };

/** Where the members of a head are. */
interface HeadOffsets {
  readonly flags: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly keptAt: number;
  readonly credentialAt: number;
  readonly keyAt: number;
  readonly end: number;
}

function offsetsIn({ bytes, start, end: limit }: ContentSpan): HeadOffsets {
  const flags = bytes[start] ?? 0;
  const createdAt = start + 2 + (bytes[start + 1] === LONG_REVISION ? DOUBLE_BYTES : 0);
  const modifiedAt = createdAt + ((flags & IS_MODIFIED) === 0 ? 0 : DOUBLE_BYTES);
  const keptAt = modifiedAt + DOUBLE_BYTES;
  const credentialAt = keptAt + ((flags & IS_KEPT) === 0 ? 0 : DOUBLE_BYTES);
  const keyAt = credentialAt + UUID_BYTES;
  const end = keyAt + storedKeySize(flags, bytes[keyAt] ?? 0);
  if (end > limit) throw new RangeError('No record.');
  return { flags, createdAt, modifiedAt, keptAt, credentialAt, keyAt, end };
}

function storedKeySize(flags: number, first: number): number {
  if ((flags & HAS_UUID_KEY) !== 0) return UUID_BYTES;
  return (flags & HAS_TEXT_KEY) === 0 ? 0 : 2 + first;
}

/** Reads a head, but for the key, and says where it ends. */
function readHead(content: ContentSpan): ReadHead {
  const { bytes, start } = content;
  const { flags, createdAt, modifiedAt, keptAt, credentialAt, end } = offsetsIn(content);
  const short = bytes[start + 1] ?? 0;
  return {
    revision: short === LONG_REVISION ? bytes.readDoubleBE(start + 2) : short,
    createdAtMillis: bytes.readDoubleBE(createdAt),
    modifiedAtMillis: bytes.readDoubleBE(modifiedAt),
    keptUntilMillis: (flags & IS_KEPT) === 0 ? null : bytes.readDoubleBE(keptAt),
    isDeleted: (flags & IS_DELETED) !== 0,
    credentialId: uuidAt(bytes, credentialAt),
    end,
  };
}

/** Reads the key of the command. */
export function readCommandKey(content: ContentSpan): string | null {
  const { flags, keyAt, end } = offsetsIn(content);
  if ((flags & HAS_UUID_KEY) !== 0) return uuidAt(content.bytes, keyAt);
  return keyAt === end ? null : content.bytes.toString('utf8', keyAt + 1, end);
}
