/**
 * Keys as they are stored: the texts that the table names become keyed digests. A digest begins
 * with 01 03, which no encoded text contains, so a key that was read from the store stays as it is.
 */
import { asBuffer } from '../store/bytes.js';
import {
  afterPrefix,
  asTextDigest,
  encodeKey,
  fixedBytes,
  isTextDigest,
  textEnd,
} from '../store/key.js';
import type { NumberedFamily } from './sealing-table.js';

/** Returns the keyed digest of bytes, and remembers it if it is likely to be asked for again. */
export type KeyedDigest = (bytes: Uint8Array, isRepeated: boolean) => Uint8Array;

/** Returns the tenant part of a key without its end, as text of one character per byte. */
export function tenantTextOf(key: Uint8Array): string {
  return asBuffer(key).toString('latin1', 0, key.indexOf(0));
}

/** Returns {@link tenantTextOf} for the keys of a tenant. */
export function tenantText(tenantId: string): string {
  return tenantTextOf(encodeKey(tenantId, 0, [], []));
}

/** Returns where the first part of a tuple begins in a key. */
export function partsStart(key: Uint8Array): number {
  return key.indexOf(0) + 2;
}

/**
 * Returns the stored form of a key, of the first parts of one, or of the end of their span.
 *
 * @throws {RangeError} The key ends inside a text that is stored as a digest.
 */
export function storedKey(
  key: Uint8Array,
  family: NumberedFamily,
  digest: KeyedDigest,
): Uint8Array {
  const { digests = [], shape } = family;
  const start = partsStart(key);
  let at = start;
  const parts: Uint8Array[] = [key.subarray(0, start)];
  for (let index = 0; index < shape.length && at < key.length; index += 1) {
    const kind = shape[index] ?? 'text';
    const end = kind === 'text' ? textEnd(key, at) : at + fixedBytes([kind]);
    const isDigest = digests.includes(index) && !isTextDigest(key, at);
    if (isDigest && end > key.length) return behindText(key, family, digest);
    // All parts up to this one, so that equal texts of two scopes have different digests.
    const isRepeated = index !== digests.at(-1);
    const part = isDigest && asTextDigest(digest(key.subarray(start - 1, end), isRepeated));
    parts.push(part || key.subarray(at, end));
    at = end;
  }
  parts.push(key.subarray(at));
  return Buffer.concat(parts);
}

/** Returns where the keys end that begin with a whole text. Its last byte was counted up. */
function behindText(key: Uint8Array, family: NumberedFamily, digest: KeyedDigest): Uint8Array {
  if (key.at(-1) !== 1) throw new RangeError('The key ends inside a sealed text.');
  const whole = Buffer.from(key);
  whole[whole.length - 1] = 0;
  return afterPrefix(storedKey(whole, family, digest));
}
