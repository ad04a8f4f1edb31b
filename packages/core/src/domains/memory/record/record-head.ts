/**
 * The head of a stored record: revision, times, credential and the key of the command, in binary.
 * Every command stores one, and UUIDs take less than half of their text.
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
import { uuidAt, writeUuid } from '../../../storage/store/key.js';
import type { ContentSpan } from '../../../storage/store/value.js';

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

/** The members of a head. */
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
export function headSize(head: RecordHead): number {
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
export function writeHead(bytes: Buffer, start: number, head: RecordHead): void {
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
export function readHead(content: ContentSpan): ReadHead {
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
