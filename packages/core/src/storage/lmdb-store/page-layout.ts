/** Reads the pages of a data file, without trusting any field. */
import { endianness } from 'node:os';

/** Bytes of a page before its node table. */
export const PAGE_HEADER_BYTES = 24;

/** Bytes of a tree record in a header or node. */
const TREE_RECORD_BYTES = 48;

const BRANCH_PAGE = 0x01;
const LEAF_PAGE = 0x02;
const BIG_PAGE = 0x04;
const BIG_NODE = 0x01;
const TREE_NODE = 0x02;
const NODE_HEADER_BYTES = 8;
const BIG_REFERENCE_BYTES = 24;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const IS_LITTLE = endianness() === 'LE';

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

/** An entry of a branch: a child page, with the keys from `key` on. */
export interface BranchNode {
  readonly key: Buffer;
  readonly child: number;
}

/** A page of a tree. */
export type TreePage =
  | { readonly type: 'branch'; readonly nodes: readonly BranchNode[] }
  | { readonly type: 'leaf'; readonly nodes: readonly LeafNode[] };

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
export function numberOf(bytes: Buffer): number {
  return Number(viewOf(bytes).getBigUint64(0, IS_LITTLE));
}

/** Returns the number of pages of the run that starts with this page, or `undefined`. */
export function runLength(bytes: Buffer): number | undefined {
  const view = viewOf(bytes);
  return view.getUint16(18, IS_LITTLE) === BIG_PAGE ? view.getUint32(20, IS_LITTLE) : undefined;
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

/** Reads a page of a tree. Returns `undefined` if it is invalid. */
export function readTreePage(bytes: Buffer): TreePage | undefined {
  const view = viewOf(bytes);
  const flags = view.getUint16(18, IS_LITTLE) & (BRANCH_PAGE | LEAF_PAGE | BIG_PAGE);
  const lower = PAGE_HEADER_BYTES + view.getUint16(20, IS_LITTLE);
  const upper = PAGE_HEADER_BYTES + view.getUint16(22, IS_LITTLE);
  if (lower % 2 !== 0 || lower > upper || upper > bytes.length) return undefined;
  const starts: number[] = [];
  for (let at = PAGE_HEADER_BYTES; at < lower; at += 2) {
    const start = PAGE_HEADER_BYTES + view.getUint16(at, IS_LITTLE);
    if (start < upper || start + NODE_HEADER_BYTES > bytes.length) return undefined;
    starts.push(start);
  }
  if (flags === BRANCH_PAGE) {
    const nodes = starts.map((start) => readBranchNode(bytes, view, start));
    return nodes.every((node) => node !== undefined) ? { type: 'branch', nodes } : undefined;
  }
  if (flags !== LEAF_PAGE) return undefined;
  const nodes = starts.map((start) => readLeafNode(bytes, view, start));
  return nodes.every((node) => node !== undefined) ? { type: 'leaf', nodes } : undefined;
}

function readBranchNode(bytes: Buffer, view: DataView, start: number): BranchNode | undefined {
  const key = readKey(bytes, view, start);
  const top = view.getUint16(start + 4, IS_LITTLE);
  return key && { key, child: top * 2 ** 32 + readSplit(view, start) };
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
