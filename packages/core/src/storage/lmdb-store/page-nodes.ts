/**
 * Checks the nodes of a page in place, without allocating: the time of an opening is the time of
 * these checks.
 */
import {
  BIG_NODE,
  BIG_REFERENCE_BYTES,
  IS_LITTLE,
  NODE_HEADER_BYTES,
  PAGE_HEADER_BYTES,
  TREE_NODE,
  treePageType,
} from './page-layout.js';

/** A page in some bytes, with the bounds of its keys. */
interface BoundedPage {
  readonly bytes: Uint8Array;
  /** Offset of the page in the bytes. */
  readonly start: number;
  readonly pageBytes: number;
  readonly from: KeySpan | undefined;
  readonly to: KeySpan | undefined;
}

/** A child of a branch, with the bounds of its keys. */
export interface ChildPage {
  readonly page: number;
  readonly from: KeySpan | undefined;
  readonly to: KeySpan | undefined;
}

/**
 * Returns the number of nodes of a page of a tree, or 0 unless the page has this type, its nodes
 * are inside it and its keys ascend between the bounds. The first key of a branch stands for the
 * lower bound and is not read. Calls `onSpecial` with the offset in the page of each node of a leaf
 * that does not hold its own value.
 */
export function countSoundNodes(
  { bytes, start, pageBytes, from, to }: BoundedPage,
  type: 'branch' | 'leaf',
  order: KeyOrder,
  onSpecial: (offset: number) => void = () => undefined,
): number {
  if (treePageType(shortAt(bytes, start + 18)) !== type) return 0;
  const lower = PAGE_HEADER_BYTES + shortAt(bytes, start + 20);
  const upper = PAGE_HEADER_BYTES + shortAt(bytes, start + 22);
  if (lower % 2 !== 0 || lower > upper || upper > pageBytes) return 0;
  const firstKeyAt = type === 'leaf' ? PAGE_HEADER_BYTES : PAGE_HEADER_BYTES + 2;
  let before = from?.bytes;
  let beforeStart = from?.start ?? 0;
  let beforeEnd = from?.end ?? 0;
  for (let at = PAGE_HEADER_BYTES; at < lower; at += 2) {
    const node = PAGE_HEADER_BYTES + shortAt(bytes, start + at);
    const key = node + NODE_HEADER_BYTES;
    if (node < upper || key > pageBytes) return 0;
    const keyEnd = key + shortAt(bytes, start + node + 6);
    if (keyEnd > pageBytes) return 0;
    if (type === 'leaf') {
      const flags = shortAt(bytes, start + node + 4);
      if (keyEnd + heldBytes(bytes, start + node, flags) > pageBytes) return 0;
      if (flags !== 0) onSpecial(node);
    }
    if (at < firstKeyAt) continue;
    if (before !== undefined) {
      const compared =
        order === 'bytes'
          ? compareSpans(bytes, start + key, start + keyEnd, before, beforeStart, beforeEnd)
          : compareKeys(
              order,
              { bytes, start: start + key, end: start + keyEnd },
              { bytes: before, start: beforeStart, end: beforeEnd },
            );
      // The first key of a page may equal the lower bound.
      if (compared < 0 || (compared === 0 && at > firstKeyAt)) return 0;
    }
    before = bytes;
    beforeStart = start + key;
    beforeEnd = start + keyEnd;
  }
  const isBelow =
    to === undefined ||
    before === undefined ||
    compareKeys(order, { bytes: before, start: beforeStart, end: beforeEnd }, to) < 0;
  return isBelow ? (lower - PAGE_HEADER_BYTES) / 2 : 0;
}

/** Returns the children of a branch whose nodes are sound. Their bounds lie in its bytes. */
export function childPages({ bytes, start, from, to }: BoundedPage, nodes: number): ChildPage[] {
  const children: ChildPage[] = [];
  let next = keyAt(bytes, start, 0);
  for (let at = 0; at < nodes; at += 1) {
    const own = next;
    next = at + 1 < nodes ? keyAt(bytes, start, at + 1) : own;
    const node = own.start - NODE_HEADER_BYTES;
    children.push({
      page: shortAt(bytes, node + 4) * 2 ** 32 + wordAt(bytes, node),
      from: at === 0 ? from : own,
      to: at + 1 < nodes ? next : to,
    });
  }
  return children;
}

function keyAt(bytes: Uint8Array, start: number, index: number): KeySpan {
  const node = start + PAGE_HEADER_BYTES + shortAt(bytes, start + PAGE_HEADER_BYTES + 2 * index);
  const from = node + NODE_HEADER_BYTES;
  return { bytes, start: from, end: from + shortAt(bytes, node + 6) };
}

/** Returns the bytes that a node holds after its key: infinitely many for unknown flags. */
function heldBytes(bytes: Uint8Array, node: number, flags: number): number {
  if (flags === BIG_NODE) return BIG_REFERENCE_BYTES;
  return flags === 0 || flags === TREE_NODE ? wordAt(bytes, node) : Infinity;
}

/** Reads a number that is stored in two halves, in the byte order of the machine. */
function wordAt(bytes: Uint8Array, at: number): number {
  const first = shortAt(bytes, at);
  const second = shortAt(bytes, at + 2);
  return IS_LITTLE ? second * 2 ** 16 + first : first * 2 ** 16 + second;
}

function shortAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  return IS_LITTLE ? (second << 8) | first : (first << 8) | second;
}

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
function compareSpans(
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
