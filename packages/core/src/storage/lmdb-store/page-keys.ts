/** Keys in the bytes of a page, so that a check of pages copies none. */
import { IS_LITTLE } from './page-layout.js';

/** The bytes of a key, from `start` to `end`. */
export interface KeySpan {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The order of the keys of a tree: by their bytes, or by the numbers that they represent. */
export type KeyOrder = 'bytes' | 'numbers';

/** Compares two keys in an order. */
export function compareKeys(order: KeyOrder, one: KeySpan, other: KeySpan): number {
  return order === 'bytes'
    ? compareSpans(one.bytes, one.start, one.end, other.bytes, other.start, other.end)
    : compareNumbers(one, other);
}

/** Compares two spans of bytes. Faster than `Buffer.compare` for keys, which are short. */
export function compareSpans(
  one: Uint8Array,
  oneStart: number,
  oneEnd: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): number {
  const oneLength = oneEnd - oneStart;
  const otherLength = otherEnd - otherStart;
  const shorter = oneLength < otherLength ? oneLength : otherLength;
  for (let at = 0; at < shorter; at += 1) {
    const difference = (one[oneStart + at] ?? 0) - (other[otherStart + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return oneLength - otherLength;
}

/** Keys whose length is not that of a transaction number compare as equal, which is a fault. */
function compareNumbers(one: KeySpan, other: KeySpan): number {
  if (one.end - one.start !== 8 || other.end - other.start !== 8) return 0;
  const [a, b] = [numberAt(one), numberAt(other)];
  return a < b ? -1 : Number(a > b);
}

function numberAt({ bytes, start }: KeySpan): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return view.getBigUint64(start, IS_LITTLE);
}
