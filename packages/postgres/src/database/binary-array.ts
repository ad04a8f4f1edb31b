/**
 * Arrays in the binary form of PostgreSQL's protocol, which sends keys and values unencoded.
 */

/** Object ids of element types, which are part of the protocol. */
const BYTEA = 17;
const INT8 = 20;

/** Bytes before the elements: dimensions, whether there are nulls, type, length, lower bound. */
const HEADER_BYTES = 20;
const EMPTY_BYTES = 12;
const LENGTH_BYTES = 4;
const INT8_BYTES = 8;

/** Encodes a `bytea[]`. */
export function byteaArray(items: readonly Uint8Array[]): Buffer {
  let size = 0;
  for (const item of items) size += LENGTH_BYTES + item.length;
  const array = arrayOf(BYTEA, items.length, size);
  let at = HEADER_BYTES;
  for (const item of items) {
    at = array.writeInt32BE(item.length, at);
    array.set(item, at);
    at += item.length;
  }
  return array;
}

/** Encodes a `bigint[]`. */
export function bigintArray(items: readonly bigint[]): Buffer {
  const array = arrayOf(INT8, items.length, items.length * (LENGTH_BYTES + INT8_BYTES));
  let at = HEADER_BYTES;
  for (const item of items) {
    at = array.writeInt32BE(INT8_BYTES, at);
    at = array.writeBigInt64BE(item, at);
  }
  return array;
}

/** Returns an array with its header written. An empty array has no dimensions. */
function arrayOf(elementType: number, count: number, elementBytes: number): Buffer {
  const array = Buffer.allocUnsafe(count === 0 ? EMPTY_BYTES : HEADER_BYTES + elementBytes);
  array.writeInt32BE(count === 0 ? 0 : 1, 0);
  array.writeInt32BE(0, 4);
  array.writeInt32BE(elementType, 8);
  if (count === 0) return array;
  array.writeInt32BE(count, 12);
  array.writeInt32BE(1, 16);
  return array;
}
