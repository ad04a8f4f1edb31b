/**
 * Byte strings as map keys, in byte order, and the bounds that every store enforces alike.
 * @module
 */
import { KEY_BYTES_MAX, VALUE_BYTES_MAX, type KeyRange } from './store.js';

/**
 * A key as text of one character a byte. Such texts compare with `<` exactly as the bytes do.
 */
export function keyText(key: Uint8Array): string {
  return asBuffer(key).toString('latin1');
}

/** The bytes of a {@link keyText}. */
export function keyBytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** A copy that nobody else holds. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return Buffer.from(bytes);
}

/**
 * A copy in memory of its own, for what is kept long: small `Buffer`s are cut from a block, which
 * stays as long as any one of them.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** The index of the first of some ascending texts that is not less than `text`. */
export function lowerBound(ascending: readonly string[], text: string): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Refuses what is no key.
 * @throws {TypeError} It is no `Uint8Array`.
 * @throws {RangeError} It is empty or longer than {@link KEY_BYTES_MAX} bytes.
 */
export function assertKey(key: Uint8Array): void {
  if (!(key instanceof Uint8Array)) throw new TypeError('A key is a Uint8Array.');
  if (key.length === 0 || key.length > KEY_BYTES_MAX) {
    throw new RangeError(`A key has 1 to ${KEY_BYTES_MAX} bytes, not ${key.length}.`);
  }
}

/**
 * Refuses what is no value.
 * @throws {TypeError} It is no `Uint8Array`.
 * @throws {RangeError} It is longer than {@link VALUE_BYTES_MAX} bytes.
 */
export function assertValue(value: Uint8Array): void {
  if (!(value instanceof Uint8Array)) throw new TypeError('A value is a Uint8Array.');
  if (value.length > VALUE_BYTES_MAX) {
    throw new RangeError(`A value has at most ${VALUE_BYTES_MAX} bytes, not ${value.length}.`);
  }
}

/**
 * Refuses what is no range. Bounds may be empty, and a range whose `from` is not below its `to`
 * is an empty range.
 * @throws {TypeError} A bound is no `Uint8Array`.
 * @throws {RangeError} A bound is too long, or the limit is no whole number from 0 up.
 */
export function assertRange(range: KeyRange): void {
  for (const bound of [range.from, range.to]) {
    if (!(bound instanceof Uint8Array)) throw new TypeError('A bound of a range is a Uint8Array.');
    if (bound.length > KEY_BYTES_MAX) {
      throw new RangeError(`A bound has at most ${KEY_BYTES_MAX} bytes, not ${bound.length}.`);
    }
  }
  const { limit } = range;
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new RangeError('The limit of a range is a whole number from 0 up.');
  }
}

/** The same bytes as a `Buffer`, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
