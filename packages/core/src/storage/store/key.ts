/**
 * Order-preserving encoding of key tuples. Every key starts with its tenant (empty for the
 * installation) and the number of its subspace. Text is terminated and all other parts have a fixed
 * size, so every tuple has one form and no key of a tenant is a prefix of another tenant's.
 */
import { sha256 } from '../../contract/digest.js';
import { copyBytes } from './bytes.js';
import { KEY_BYTES_MAX } from './store.js';

/** The kinds of key parts, with their TypeScript types. */
export interface KeyParts {
  /** Text of any length: UTF-8 with the bytes 00 and 01 escaped as 01 01 and 01 02, ended by 00. */
  text: string;
  /** A hyphenated lower-case UUID in 16 bytes. */
  uuid: string;
  /** A SHA-256 digest in 32 bytes. */
  digest: Uint8Array;
  /** A non-negative safe integer in 8 bytes, big-endian. */
  integer: number;
  /** A finite number in 8 bytes, in numeric order; -0 counts as 0. */
  number: number;
}

/** The shape of the keys of one subspace, as a list of part kinds. */
export type KeyShape = readonly (keyof KeyParts)[];

/** The part of the key space that one family has. */
export interface SubspaceKey<S extends KeyShape> {
  readonly number: number;
  readonly shape: S;
}

/** The tenant part of keys that belong to the installation. No tenant has an empty id. */
export const INSTALLATION = '';

/** Above every key. */
export const KEYS_END: Uint8Array = Buffer.alloc(KEY_BYTES_MAX, 0xff);

/** The tuple that a shape describes. */
export type KeyTuple<S extends KeyShape> = { -readonly [I in keyof S]: KeyParts[S[I]] };

/** The first parts of a tuple. */
export type KeyPrefix<T extends readonly unknown[]> = T extends readonly [...infer Head, unknown]
  ? T | KeyPrefix<Head>
  : [];

const sizes = { uuid: 16, digest: 32, integer: 8, number: 8 } as const;
// Neither the terminator nor the escape byte may occur unescaped inside a text.
const ESCAPED = /[\0\x01]/;
/** What a text begins with that is stored as a keyed digest. No encoded text contains it. */
const TEXT_DIGEST_MARK = Buffer.of(1, 3);
/** Bytes of such a text: the mark and the first bytes of the digest, without a terminator. */
export const TEXT_DIGEST_BYTES = 18;
const HYPHEN = 0x2d;
const DIGIT_NINE = 0x39;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Encodes the tenant, the subspace and all or the first parts of a tuple. */
export function encodeKey(
  tenant: string,
  subspace: number,
  shape: KeyShape,
  parts: readonly unknown[],
): Uint8Array {
  let size = textSize(tenant) + 1;
  for (let index = 0; index < parts.length; index++) size += partSize(shape[index], parts[index]);
  const key = Buffer.allocUnsafe(size);
  let at = writeText(key, 0, tenant);
  key[at++] = subspace;
  for (let index = 0; index < parts.length; index++) {
    at = writePart(key, at, shape[index], parts[index]);
  }
  return key;
}

/** Returns the key that ends with a UUID, behind all parts before it. */
export function keyWithUuid(prefix: Uint8Array, uuid: string): Uint8Array {
  const key = Buffer.allocUnsafe(prefix.length + sizes.uuid);
  key.set(prefix);
  writeUuid(key, prefix.length, uuid);
  return key;
}

/** Returns the bytes of key parts of fixed size. */
export function fixedBytes(shape: KeyShape): number {
  return shape.reduce((sum, kind) => {
    if (kind === 'text') throw new TypeError('A text has no fixed size.');
    return sum + sizes[kind];
  }, 0);
}

/** Returns the SHA-256 of a text, for keys that would be too long with the texts themselves. */
export function textDigest(text: string): Uint8Array {
  return sha256(text);
}

/** Returns the least key that is greater than every key with this prefix. */
export function afterPrefix(prefix: Uint8Array): Uint8Array {
  const end = Buffer.from(prefix);
  for (let index = end.length - 1; index >= 0; index--) {
    const byte = end[index] ?? 0;
    if (byte < 0xff) {
      end[index] = byte + 1;
      return end.subarray(0, index + 1);
    }
  }
  throw new RangeError('A prefix of only 0xFF bytes has no end.');
}

/** Returns the least key that is greater than this one. */
export function afterKey(key: Uint8Array): Uint8Array {
  const next = Buffer.alloc(key.length + 1);
  next.set(key);
  return next;
}

/** The greatest UUID (RFC 9562, section 5.10): what is after it has another prefix. */
export const UUID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Reads 16 bytes as a UUID. */
export function uuidAt(bytes: Uint8Array, at: number): string {
  let text = '';
  for (let index = 0; index < 16; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += HEX[bytes[at + index] ?? 0] ?? '';
  }
  return text;
}

/** Returns the UUID at the end of a key. */
export function trailingUuid(key: Uint8Array): string {
  return uuidAt(key, key.length - sizes.uuid);
}

/** Returns the digest at the end of a key, or before its last bytes, in bytes of its own. */
export function trailingDigest(key: Uint8Array, bytesBehind = 0): Uint8Array {
  const end = key.length - bytesBehind;
  return copyBytes(key.subarray(end - sizes.digest, end));
}

/**
 * Returns where the tenant of a key ends, at the byte 00 in front of its subspace; -1 for bytes
 * without one. A loop, because a native search takes as long as about fifty of its steps.
 */
export function tenantEnd(key: Uint8Array): number {
  for (let at = 0; at < key.length; at += 1) if (key[at] === 0) return at;
  return -1;
}

/** Returns the tenant that a key starts with. */
export function tenantOfKey(key: Uint8Array): string {
  return unescaped(key.subarray(0, tenantEnd(key)));
}

/** Returns whether a text of a key is stored as a keyed digest. */
export function isTextDigest(key: Uint8Array, at: number): boolean {
  return key[at] === TEXT_DIGEST_MARK[0] && key[at + 1] === TEXT_DIGEST_MARK[1];
}

/** Writes the first bytes of a keyed digest instead of a text. Returns where they end. */
export function writeTextDigest(key: Uint8Array, at: number, digest: Uint8Array): number {
  key.set(TEXT_DIGEST_MARK, at);
  const from = at + TEXT_DIGEST_MARK.length;
  const end = at + TEXT_DIGEST_BYTES;
  for (let index = from; index < end; index += 1) key[index] = digest[index - from] ?? 0;
  return end;
}

/** Returns where a part of a key ends; behind the key if it is a text that is cut off. */
export function partEnd(key: Uint8Array, at: number, kind: keyof KeyParts): number {
  return kind === 'text' ? textEnd(key, at) : at + sizes[kind];
}

/** Returns where a text of a key ends, or its digest; behind the key if it is cut off. */
function textEnd(key: Uint8Array, at: number): number {
  if (isTextDigest(key, at)) return at + TEXT_DIGEST_BYTES;
  const end = key.indexOf(0, at);
  return end === -1 ? key.length + 1 : end + 1;
}

/**
 * Returns the parts of a key of a subspace, in bytes of their own. A text that is stored as a
 * digest is returned as bytes, which {@link encodeKey} takes for a text.
 */
export function partsOfKey(shape: KeyShape, key: Uint8Array): (string | number | Uint8Array)[] {
  const bytes = Buffer.from(key);
  let at = tenantEnd(bytes) + 2;
  return shape.map((kind) => {
    const start = at;
    at = partEnd(bytes, start, kind);
    switch (kind) {
      case 'text':
        if (isTextDigest(bytes, start)) return bytes.subarray(start, at);
        return unescaped(bytes.subarray(start, at - 1));
      case 'uuid':
        return uuidAt(bytes, start);
      case 'digest':
        return bytes.subarray(start, at);
      case 'integer':
        return Number(bytes.readBigUInt64BE(start));
      case 'number':
        return readNumber(bytes.subarray(start, at));
    }
  });
}

function unescaped(escaped: Uint8Array): string {
  const bytes: number[] = [];
  for (let at = 0; at < escaped.length; at++) {
    const byte = escaped[at] ?? 0;
    bytes.push(byte === 1 ? (escaped[++at] ?? 0) - 1 : byte);
  }
  return Buffer.from(bytes).toString('utf8');
}

/** Returns the least key that is greater than every key of a tenant. */
export function afterTenant(tenant: string): Uint8Array {
  const end = Buffer.allocUnsafe(textSize(tenant));
  writeText(end, 0, tenant);
  return afterPrefix(end);
}

function partSize(kind: keyof KeyParts | undefined, part: unknown): number {
  if (kind !== undefined && kind !== 'text') return sizes[kind];
  return part instanceof Uint8Array ? part.length : textSize(String(part));
}

function textSize(text: string): number {
  const bytes = Buffer.byteLength(text, 'utf8') + 1;
  return ESCAPED.test(text) ? bytes + text.split(ESCAPED).length - 1 : bytes;
}

function writePart(
  key: Buffer,
  at: number,
  kind: keyof KeyParts | undefined,
  part: unknown,
): number {
  switch (kind) {
    case 'uuid':
      return writeUuid(key, at, String(part));
    case 'digest':
      key.set(part as Uint8Array, at);
      return at + sizes.digest;
    case 'integer':
      key.writeBigUInt64BE(BigInt(part as number), at);
      return at + sizes.integer;
    case 'number':
      return writeNumber(key, at, part as number);
    case 'text':
    case undefined:
      if (!(part instanceof Uint8Array)) return writeText(key, at, String(part));
      key.set(part, at);
      return at + part.length;
  }
}

/** Writes the bits of a double, transformed so that their byte order is numeric order. */
function writeNumber(key: Buffer, at: number, number: number): number {
  const end = key.writeDoubleBE(number + 0, at);
  const sign = number < 0 ? 0xff : 0x80;
  key[at] = (key[at] ?? 0) ^ sign;
  if (number < 0) for (let index = at + 1; index < end; index++) key[index] = ~(key[index] ?? 0);
  return end;
}

/** Reads eight bytes that {@link writeNumber} wrote. */
function readNumber(bytes: Buffer): number {
  const isNegative = (bytes[0] ?? 0) < 0x80;
  const plain = Buffer.from(bytes.map((byte) => (isNegative ? ~byte : byte)));
  if (!isNegative) plain[0] = (plain[0] ?? 0) ^ 0x80;
  return plain.readDoubleBE(0);
}

/** Writes the 16 bytes of a hyphenated lower-case UUID. Returns where they end. */
export function writeUuid(key: Buffer, start: number, uuid: string): number {
  let at = start;
  for (let index = 0; index < uuid.length; index += 2) {
    if (uuid.charCodeAt(index) === HYPHEN) index += 1;
    key[at++] = (digitAt(uuid, index) << 4) | digitAt(uuid, index + 1);
  }
  return at;
}

function digitAt(uuid: string, index: number): number {
  const code = uuid.charCodeAt(index);
  return code <= DIGIT_NINE ? code & 0xf : (code & 0xf) + 9;
}

function writeText(key: Buffer, at: number, text: string): number {
  if (ESCAPED.test(text)) return writeEscaped(key, at, Buffer.from(text, 'utf8'));
  const end = at + key.write(text, at, 'utf8');
  key[end] = 0;
  return end + 1;
}

function writeEscaped(key: Buffer, start: number, bytes: Uint8Array): number {
  let at = start;
  for (const byte of bytes) {
    if (byte <= 1) key[at++] = 1;
    key[at++] = byte <= 1 ? byte + 1 : byte;
  }
  key[at++] = 0;
  return at;
}
