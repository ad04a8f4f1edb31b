/**
 * Encoding of stored values: one byte of layout version, the content, and a CRC-32 over key,
 * version and content. A value that is damaged, misplaced or of an unknown layout is never
 * decoded. Binary layouts write integers in as few bytes as possible.
 */
import { crc32 } from 'node:zlib';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { asBuffer } from './bytes.js';

/** The span of the content in the bytes of a value. */
export interface ContentSpan {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Translates values to bytes and back. `R` is the type that reading returns, if it differs. */
export interface ValueLayout<W, R = W> {
  /** Stored version of this layout, 1 to 255. A value of any other version is refused. */
  readonly version: number;
  /** Encodes a value and leaves `before` and `behind` bytes free around it. */
  encode(value: W, before: number, behind: number): Buffer;
  /** Decodes a value. The bytes are on loan: a result that refers to them expires with them. */
  decode(content: ContentSpan): R;
}

/**
 * The version of values that a store over the store could not open. Such a value is this byte and
 * one for the reason; layouts begin with 1.
 */
const UNREADABLE_VERSION = 0;
const unreadable = ['key_destroyed', 'key_unavailable'] as const;

/** Why a value could not be opened. */
export type UnreadableCode = (typeof unreadable)[number];

const VERSION_BYTES = 1;
const CHECKSUM_BYTES = 4;
/** The CRC-32 of any bytes that end with their own CRC-32, lowest byte first. */
const RESIDUE = 0x2144df1c;

/** Encodes a value for storage under a key. */
export function sealValue<W, R>(layout: ValueLayout<W, R>, key: Uint8Array, value: W): Uint8Array {
  const sealed = layout.encode(value, VERSION_BYTES, CHECKSUM_BYTES);
  const end = sealed.length - CHECKSUM_BYTES;
  sealed[0] = layout.version;
  sealed.writeUInt32LE(crc32(sealed.subarray(0, end), crc32OfKey(key)), end);
  return sealed;
}

/** Returns a copy of a stored value with the checksum for another key. Marks stay as they are. */
export function underKey(value: Uint8Array, key: Uint8Array): Uint8Array {
  const bytes = Buffer.from(value);
  const end = bytes.length - CHECKSUM_BYTES;
  if (bytes[0] === UNREADABLE_VERSION || end < VERSION_BYTES) return bytes;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end), crc32OfKey(key)), end);
  return bytes;
}

/** Returns what stands for a value that a store cannot open. Decoding it throws the reason. */
export function unreadableValue(code: UnreadableCode): Uint8Array {
  return Uint8Array.of(UNREADABLE_VERSION, unreadable.indexOf(code));
}

/** Locates the content of a stored value without verifying it. Base no decision on it alone. */
export function contentOf(sealed: Uint8Array): ContentSpan {
  const bytes = asBuffer(sealed);
  return { bytes, start: VERSION_BYTES, end: bytes.length - CHECKSUM_BYTES };
}

/** Returns a copy of layout version and content of a stored value. */
export function copiedContent(sealed: Uint8Array): Uint8Array {
  return Buffer.from(asBuffer(sealed).subarray(0, -CHECKSUM_BYTES));
}

/**
 * Verifies and decodes a stored value.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when version, checksum or content do not verify.
 */
export function openValue<W, R>(layout: ValueLayout<W, R>, key: Uint8Array, sealed: Uint8Array): R {
  return openUnder(layout, crc32OfKey(key), sealed);
}

/**
 * Returns {@link openValue} for keys with a common prefix, of which the checksum is computed once.
 */
export function openerUnder<W, R>(
  layout: ValueLayout<W, R>,
  prefix: Uint8Array,
): (key: Uint8Array, sealed: Uint8Array) => R {
  const checksum = crc32OfKey(prefix);
  const { length } = prefix;
  return (key, sealed) => openUnder(layout, continueCrc32(key, length, checksum), sealed);
}

function openUnder<W, R>(layout: ValueLayout<W, R>, keyChecksum: number, sealed: Uint8Array): R {
  const bytes = asBuffer(sealed);
  const end = bytes.length - CHECKSUM_BYTES;
  const version = bytes[0] ?? 0;
  const isKnown = version === layout.version;
  const isVerified = end >= VERSION_BYTES && isKnown && crc32(bytes, keyChecksum) === RESIDUE;
  if (!isVerified) throw new AgentkeepError(codeOfUnverified(bytes));
  const content = { bytes, start: VERSION_BYTES, end };
  try {
    return layout.decode(content);
  } catch (cause) {
    throw new AgentkeepError('storage_inconsistency', { cause });
  }
}

function codeOfUnverified(bytes: Buffer): UnreadableCode | 'storage_inconsistency' {
  const isMark = bytes.length === 2 && bytes[0] === UNREADABLE_VERSION;
  return (isMark ? unreadable[bytes[1] ?? -1] : undefined) ?? 'storage_inconsistency';
}

const unreadableCodes: ReadonlySet<string> = new Set(['storage_inconsistency', ...unreadable]);

/** Returns the result of a read of stored values, or `undefined` when one can't be decoded. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AgentkeepError && unreadableCodes.has(error.code)) return undefined;
    throw error;
  }
}

const POLYNOMIAL = 0xedb88320;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : POLYNOMIAL ^ (crc >>> 1);
  return crc;
});

/** Returns the checksum of a key, as `crc32` of `node:zlib` does. */
export function crc32OfKey(key: Uint8Array): number {
  return continueCrc32(key, 0, 0);
}

/** Continues a checksum with the bytes from an index on, as `crc32` of `node:zlib` does. */
export function continueCrc32(bytes: Uint8Array, from: number, before: number): number {
  let crc = ~before;
  for (let at = from; at < bytes.length; at += 1) {
    crc = (TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** The bit of a byte of a compact integer that says that another one follows, with higher bits. */
const MORE = 0x80;

/** Bytes that the longest compact integer takes. */
export const COMPACT_BYTES_MAX = 8;

/** Returns the bytes that a non-negative safe integer takes in compact form. */
export function compactSize(integer: number): number {
  let size = 1;
  for (let left = integer; left >= MORE; left = Math.floor(left / MORE)) size += 1;
  return size;
}

/** Writes a non-negative safe integer in compact form. Returns where it ends. */
export function writeCompact(bytes: Uint8Array, start: number, integer: number): number {
  let at = start;
  let left = integer;
  for (; left >= MORE; left = Math.floor(left / MORE)) bytes[at++] = MORE | (left % MORE);
  bytes[at++] = left;
  return at;
}

/** Reads an integer that {@link writeCompact} wrote. {@link compactSize} returns its length. */
export function readCompact(bytes: Uint8Array, start: number): number {
  let integer = 0;
  let weight = 1;
  for (let at = start; at < start + COMPACT_BYTES_MAX; at += 1) {
    const byte = bytes[at] ?? 0;
    integer += (byte % MORE) * weight;
    if (byte < MORE) return integer;
    weight *= MORE;
  }
  throw new RangeError('No compact integer.');
}
