/** Reads the pages of a data file, without trusting any field. */
import { endianness } from 'node:os';

/** Bytes of a page before its node table. */
export const PAGE_HEADER_BYTES = 24;

/** Bytes of a tree record in a header or node. */
const TREE_RECORD_BYTES = 48;

const BRANCH_PAGE = 0x01;
const LEAF_PAGE = 0x02;
const BIG_PAGE = 0x04;
/** Flag of a node whose value is in a run of pages. */
export const BIG_NODE = 0x01;
/** Flag of a node that holds the record of a tree. */
export const TREE_NODE = 0x02;
/** Bytes of a node before its key. */
export const NODE_HEADER_BYTES = 8;
/** Bytes of the reference to a run of pages. */
export const BIG_REFERENCE_BYTES = 24;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
/** The byte order of the machine, which is that of its data files. */
export const IS_LITTLE = endianness() === 'LE';

/** The record of a tree in a header or node. */
export interface TreeRecord {
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly bigPages: number;
  readonly entries: number;
  /** `undefined` for an empty tree. */
  readonly root: number | undefined;
}

/** A run of pages that holds one big value. */
export interface PageRun {
  readonly first: number;
  readonly pages: number;
}

/** An entry of a leaf. */
export interface LeafNode {
  readonly key: Buffer;
  /** At most one of `run` and `tree` is set. Without them, the value is in the leaf. */
  readonly run: PageRun | undefined;
  readonly tree: TreeRecord | undefined;
  /** Offset of the value in the page. */
  readonly valueAt: number;
}

/** Reads the record of a tree. */
export function readTreeRecord(bytes: Buffer, start: number): TreeRecord {
  const view = viewOf(bytes);
  const big = (offset: number): number => Number(view.getBigUint64(start + offset, IS_LITTLE));
  const root = view.getBigUint64(start + 40, IS_LITTLE);
  return {
    depth: view.getUint16(start + 6, IS_LITTLE),
    branchPages: big(8),
    leafPages: big(16),
    bigPages: big(24),
    entries: big(32),
    root: root === NO_PAGE ? undefined : Number(root),
  };
}

/** Reads the number of a page from its header. */
export function numberOf(bytes: Buffer, start = 0): number {
  if (!IS_LITTLE) return Number(bytes.readBigUInt64BE(start));
  const low = bytes.readUInt32LE(start);
  const high = bytes.readUInt32LE(start + 4);
  return high * 2 ** 32 + low;
}

/** Returns the number of pages of the run that starts with this page, or `undefined`. */
export function runLength(bytes: Buffer): number | undefined {
  const view = viewOf(bytes);
  return view.getUint16(18, IS_LITTLE) === BIG_PAGE ? view.getUint32(20, IS_LITTLE) : undefined;
}

/** Returns the type of a page of a tree by its flags, or `undefined` for any other page. */
export function treePageType(flags: number): 'branch' | 'leaf' | undefined {
  const type = flags & (BRANCH_PAGE | LEAF_PAGE | BIG_PAGE);
  if (type === LEAF_PAGE) return 'leaf';
  return type === BRANCH_PAGE ? 'branch' : undefined;
}

/** Reads the entry of a leaf at an offset. Returns `undefined` if it is invalid. */
export function leafNodeAt(page: Buffer, start: number): LeafNode | undefined {
  return readLeafNode(page, viewOf(page), start);
}

/** Reads the numbers of free pages from a value of the tree of free pages. */
export function readFreePages(value: Buffer): number[] {
  if (value.length < 8) return [];
  const view = viewOf(value);
  const slots = Math.min(Number(view.getBigUint64(0, IS_LITTLE)), Math.floor(value.length / 8) - 1);
  const pages: number[] = [];
  for (let slot = 1; slot <= slots; slot += 1) {
    const page = Number(view.getBigInt64(8 * slot, IS_LITTLE));
    // Negative: how many pages follow the next number. Zero: an empty slot.
    if (page > 0) pages.push(page);
  }
  return pages;
}

/** Reads the entries of a leaf whose nodes are sound. Returns `undefined` if one is invalid. */
export function leafNodesOf(page: Buffer, nodes: number): LeafNode[] | undefined {
  const view = viewOf(page);
  const found: LeafNode[] = [];
  for (let at = 0; at < nodes; at += 1) {
    const start = PAGE_HEADER_BYTES + view.getUint16(PAGE_HEADER_BYTES + 2 * at, IS_LITTLE);
    const node = readLeafNode(page, view, start);
    if (node === undefined) return undefined;
    found.push(node);
  }
  return found;
}

function readLeafNode(bytes: Buffer, view: DataView, start: number): LeafNode | undefined {
  const key = readKey(bytes, view, start);
  if (key === undefined) return undefined;
  const flags = view.getUint16(start + 4, IS_LITTLE);
  const length = readSplit(view, start);
  const at = start + NODE_HEADER_BYTES + key.length;
  const held = flags === BIG_NODE ? BIG_REFERENCE_BYTES : length;
  if (at + held > bytes.length) return undefined;
  const plain = { key, run: undefined, tree: undefined, valueAt: at };
  if (flags === 0) return plain;
  if (flags === BIG_NODE) {
    const first = Number(view.getBigUint64(at, IS_LITTLE));
    const pages = Number(view.getBigUint64(at + 16, IS_LITTLE));
    const isLongEnough = PAGE_HEADER_BYTES + length <= pages * bytes.length;
    return isLongEnough ? { ...plain, run: { first, pages } } : undefined;
  }
  const isTree = flags === TREE_NODE && length === TREE_RECORD_BYTES;
  return isTree ? { ...plain, tree: readTreeRecord(bytes, at) } : undefined;
}

function readKey(bytes: Buffer, view: DataView, start: number): Buffer | undefined {
  const length = view.getUint16(start + 6, IS_LITTLE);
  const from = start + NODE_HEADER_BYTES;
  return from + length > bytes.length ? undefined : bytes.subarray(from, from + length);
}

/** Reads a number that is stored in two halves, in the byte order of the machine. */
function readSplit(view: DataView, start: number): number {
  const low = view.getUint16(start + (IS_LITTLE ? 0 : 2), IS_LITTLE);
  const high = view.getUint16(start + (IS_LITTLE ? 2 : 0), IS_LITTLE);
  return high * 2 ** 16 + low;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
