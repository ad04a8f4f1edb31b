/** Byte strings as map keys in byte order, and the bounds that all stores enforce. */
import { KEY_BYTES_MAX, VALUE_BYTES_MAX, type KeyRange } from './store.js';

/** Returns a key as text of one character per byte. Such texts compare with `<` as the bytes do. */
export function keyText(key: Uint8Array): string {
  return asBuffer(key).toString('latin1');
}

/** Returns the bytes of a {@link keyText}. */
export function keyBytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Copies bytes. The copy may share its memory block with other small buffers. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return Buffer.from(bytes);
}

/**
 * Copies bytes into memory of their own, for long-lived copies: small `Buffer`s are cut from a
 * shared block, which stays in memory as long as any one of them.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** Returns the index of the first of some ascending texts that is not less than `text`. */
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
 * Checks a key.
 *
 * @throws {TypeError} when it is not a `Uint8Array`.
 * @throws {RangeError} when it is empty or longer than {@link KEY_BYTES_MAX} bytes.
 */
export function assertKey(key: Uint8Array): void {
  if (!(key instanceof Uint8Array)) throw new TypeError('A key must be a Uint8Array.');
  if (key.length === 0 || key.length > KEY_BYTES_MAX) {
    throw new RangeError(`A key must have 1 to ${KEY_BYTES_MAX} bytes, not ${key.length}.`);
  }
}

/**
 * Checks a value.
 *
 * @throws {TypeError} when it is not a `Uint8Array`.
 * @throws {RangeError} when it is longer than {@link VALUE_BYTES_MAX} bytes.
 */
export function assertValue(value: Uint8Array): void {
  if (!(value instanceof Uint8Array)) throw new TypeError('A value must be a Uint8Array.');
  if (value.length > VALUE_BYTES_MAX) {
    throw new RangeError(
      `A value must have at most ${VALUE_BYTES_MAX} bytes, not ${value.length}.`,
    );
  }
}

/**
 * Checks a range. Bounds may be empty. A range whose `from` is not below its `to` is valid and
 * empty.
 *
 * @throws {TypeError} when a bound is not a `Uint8Array`.
 * @throws {RangeError} when a bound is too long, or the limit is not a non-negative integer.
 */
export function assertRange(range: KeyRange): void {
  for (const bound of [range.from, range.to]) {
    if (!(bound instanceof Uint8Array))
      throw new TypeError('A bound of a range must be a Uint8Array.');
    if (bound.length > KEY_BYTES_MAX) {
      throw new RangeError(
        `A bound must have at most ${KEY_BYTES_MAX} bytes, not ${bound.length}.`,
      );
    }
  }
  const { limit } = range;
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new RangeError('The limit of a range must be a non-negative integer.');
  }
}

/** Returns the same bytes as a `Buffer`, without copying. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
