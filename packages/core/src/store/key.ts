/**
 * Order-preserving encoding of key tuples. Every key starts with the tenant that it belongs to
 * (empty for the installation itself) and the number of its subspace; text is terminated, all else
 * has a fixed size, so no key of one tenant is a prefix of another's and every tuple has one form.
 * @module
 */

/** What a part of a key can be, with its TypeScript type. */
export interface KeyParts {
  /** Text of any length: UTF-8 with the bytes 00 and 01 escaped as 01 01 and 01 02, ended by 00. */
  text: string;
  /** A hyphenated lower-case UUID in 16 bytes. */
  uuid: string;
  /** A SHA-256 digest in 32 bytes. */
  digest: Uint8Array;
  /** A non-negative safe integer in 8 bytes, big-endian. */
  integer: number;
}

/** The shape of the keys of one subspace, as a list of part names. */
export type KeyShape = readonly (keyof KeyParts)[];

/** The tuple that a shape describes. */
export type KeyTuple<S extends KeyShape> = { -readonly [I in keyof S]: KeyParts[S[I]] };

/** The first parts of a tuple. */
export type KeyPrefix<T extends readonly unknown[]> = T extends readonly [...infer Head, unknown]
  ? T | KeyPrefix<Head>
  : [];

const sizes = { uuid: 16, digest: 32, integer: 8 } as const;
// The terminator must not occur inside, and neither may its escape byte go unescaped.
const ESCAPED = new RegExp('[\\u0000\\u0001]');
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Encodes the tenant, the subspace and all or the first parts of a tuple. */
export function encodeKey(
  tenant: string,
  subspace: number,
  shape: KeyShape,
  parts: readonly unknown[],
): Uint8Array {
  const key = Buffer.allocUnsafe(encodedSize(tenant, shape, parts));
  let at = writeText(key, 0, tenant);
  key[at++] = subspace;
  for (let index = 0; index < parts.length; index++) {
    at = writePart(key, at, shape[index] ?? 'text', parts[index]);
  }
  return at === key.length ? key : key.subarray(0, at);
}

/** The least key that is greater than every key with this prefix. */
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

/** The least key that is greater than this one. */
export function afterKey(key: Uint8Array): Uint8Array {
  const next = Buffer.alloc(key.length + 1);
  next.set(key);
  return next;
}

/** Reads 16 bytes as a UUID. */
export function uuidAt(bytes: Uint8Array, at: number): string {
  let text = '';
  for (let index = 0; index < 16; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += HEX[bytes[at + index] ?? 0];
  }
  return text;
}

/** The UUID that ends a key. */
export function trailingUuid(key: Uint8Array): string {
  return uuidAt(key, key.length - sizes.uuid);
}

function encodedSize(tenant: string, shape: KeyShape, parts: readonly unknown[]): number {
  let size = textSize(tenant) + 1;
  for (let index = 0; index < parts.length; index++) {
    const kind = shape[index];
    size += kind === undefined || kind === 'text' ? textSize(String(parts[index])) : sizes[kind];
  }
  return size;
}

function textSize(text: string): number {
  const bytes = Buffer.byteLength(text, 'utf8') + 1;
  return ESCAPED.test(text) ? bytes + text.split(ESCAPED).length - 1 : bytes;
}

function writePart(key: Buffer, at: number, kind: keyof KeyParts, part: unknown): number {
  switch (kind) {
    case 'uuid':
      key.write(String(part).replaceAll('-', ''), at, sizes.uuid, 'hex');
      return at + sizes.uuid;
    case 'digest':
      key.set(part as Uint8Array, at);
      return at + sizes.digest;
    case 'integer':
      key.writeBigUInt64BE(BigInt(part as number), at);
      return at + sizes.integer;
    case 'text':
      return writeText(key, at, String(part));
  }
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
