/**
 * Keys as they are stored: the texts that the table names become keyed digests. A digest begins
 * with 01 03, which no encoded text contains, so a key that was read from the store stays as it is.
 */
import { asBuffer } from '../store/bytes.js';
import {
  afterPrefix,
  encodeKey,
  isTextDigest,
  partEnd,
  tenantEnd,
  TEXT_DIGEST_BYTES,
  writeTextDigest,
} from '../store/key.js';
import type { SealedFamily } from './sealed-families.js';

/** Returns the keyed digest of bytes, and remembers it if it is likely to be asked for again. */
export type KeyedDigest = (bytes: Uint8Array, isRepeated: boolean) => Uint8Array;

/** Returns the tenant part of a key without its end, as text of one character per byte. */
export function tenantTextOf(key: Uint8Array): string {
  return asBuffer(key).toString('latin1', 0, tenantEnd(key));
}

/** Returns {@link tenantTextOf} for the keys of a tenant. */
export function tenantText(tenantId: string): string {
  return tenantTextOf(encodeKey(tenantId, 0, [], []));
}

/** Returns where the first part of a tuple begins in a key. */
export function partsStart(key: Uint8Array): number {
  return tenantEnd(key) + 2;
}

/**
 * Returns the stored form of a key, of the first parts of one, or of the end of their span.
 *
 * @throws {RangeError} The key ends inside a text that is stored as a digest.
 */
export function storedKey(key: Uint8Array, family: SealedFamily, digest: KeyedDigest): Uint8Array {
  const { digests = [], shape } = family;
  const lastDigest = digests.at(-1) ?? -1;
  const start = partsStart(key);
  const stored = Buffer.allocUnsafe(key.length + digests.length * TEXT_DIGEST_BYTES);
  stored.set(key.subarray(0, start));
  let at = start;
  let size = start;
  for (let index = 0; index <= lastDigest && at < key.length; index += 1) {
    const end = partEnd(key, at, shape[index] ?? 'text');
    const isDigest = digests.includes(index) && !isTextDigest(key, at);
    if (isDigest && end > key.length) return behindText(key, family, digest);
    // All parts up to this one, so that equal texts of two scopes have different digests.
    if (isDigest) {
      const text = key.subarray(start - 1, end);
      size = writeTextDigest(stored, size, digest(text, index !== lastDigest));
    } else {
      stored.set(key.subarray(at, end), size);
      size += Math.min(end, key.length) - at;
    }
    at = end;
  }
  if (at >= key.length) return stored.subarray(0, size);
  stored.set(key.subarray(at), size);
  return stored.subarray(0, size + key.length - at);
}

/** Returns where the keys end that begin with a whole text. Its last byte was counted up. */
function behindText(key: Uint8Array, family: SealedFamily, digest: KeyedDigest): Uint8Array {
  if (key.at(-1) !== 1) throw new RangeError('The key ends inside a sealed text.');
  const whole = Buffer.from(key);
  whole[whole.length - 1] = 0;
  return afterPrefix(storedKey(whole, family, digest));
}
