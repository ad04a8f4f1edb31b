/**
 * Checks the pages of one tree: their form and bounds, and the order of their keys. Nodes are
 * checked in place, without allocating: the time of an opening is the time of these checks.
 */
import {
  BIG_NODE,
  BIG_REFERENCE_BYTES,
  IS_LITTLE,
  type LeafNode,
  leafNodeAt,
  leafNodesOf,
  NODE_HEADER_BYTES,
  PAGE_HEADER_BYTES,
  readFreePages,
  TREE_NODE,
  treePageType,
  type TreeRecord,
} from './page-layout.js';
import { damaged, type PageReader } from './page-reader.js';

/** A branch that was read, with the pages below it. */
interface Branch {
  readonly page: number;
  readonly children: readonly ChildPage[];
}

/** How a tree is walked. Default: down to its leaves, with keys that are bytes. */
export interface WalkOptions {
  readonly order?: KeyOrder;
  /** The kind of the lowest pages that are checked. */
  readonly lowest?: 'branch' | 'leaf';
}

/** The walk over one tree, in the order of its keys. */
export class TreeWalk {
  readonly #reader: PageReader;
  readonly #order: KeyOrder;
  readonly #lowest: 'branch' | 'leaf';
  /** The branches from the root down to the latest leaves. */
  #path: Branch[] = [];
  /** The lower bound of the next leaf. */
  #position: KeySpan | undefined;
  readonly #found = { branchPages: 0, leafPages: 0, bigPages: 0, entries: 0 };
  /** The trees whose records were in leaves, by their names in Latin-1. */
  readonly nested = new Map<string, TreeRecord>();
  /** The pages that a tree of free pages lists. */
  readonly freePages: number[] = [];

  constructor(reader: PageReader, { order = 'bytes', lowest = 'leaf' }: WalkOptions = {}) {
    this.#reader = reader;
    this.#order = order;
    this.#lowest = lowest;
  }

  /** Continues in a tree that has changed, at the key that was reached. */
  forgetPath(): void {
    this.#path = [];
  }

  /**
   * Checks the lowest pages below the next branch. Returns whether there are more.
   *
   * @throws {PageFault}
   */
  step(tree: TreeRecord): boolean {
    if (tree.root === undefined) return false;
    if (tree.depth < 1) throw damaged(tree.root);
    const levels = this.#lowest === 'leaf' ? tree.depth : tree.depth - 1;
    if (levels === 0) return false;
    let next = rootOf(tree.root);
    let lowest: readonly ChildPage[] = [next];
    for (let level = 1; level < levels; level += 1) {
      const { children } = this.#branch(next, level);
      const at = this.#indexOf(children);
      const child = children[at];
      if (child === undefined) throw damaged(next.page);
      if (level === levels - 1) lowest = at === 0 ? children : children.slice(at);
      else next = child;
    }
    if (this.#lowest === 'leaf') this.#checkLeaves(lowest);
    else this.#checkLowestBranches(lowest);
    this.#position = next.to;
    return next.to !== undefined;
  }

  /**
   * Checks the upper branches: level by level from the root, while they are at most `pagesMax`
   * pages. Returns their number.
   *
   * @throws {PageFault}
   */
  checkBranches({ root, depth }: TreeRecord, pagesMax: number): number {
    if (root === undefined) return 0;
    let pages = 0;
    let level: ChildPage[] = [rootOf(root)];
    for (let at = 1; at < depth && pages + level.length <= pagesMax; at += 1) {
      pages += level.length;
      const below: ChildPage[] = [];
      this.#reader.readEach(inOrder(level), ({ page, from, to }, bytes, start, pageBytes) => {
        const bounded = { bytes, start, pageBytes, from, to };
        const nodes = countSoundNodes(bounded, 'branch', this.#order);
        if (nodes === 0) throw damaged(page);
        if (at === depth - 1) return;
        // Copied, because the bounds of the children lie in these bytes.
        const own = Buffer.from(bytes.subarray(start, start + pageBytes));
        below.push(...childPages({ ...bounded, bytes: own, start: 0 }, nodes));
      });
      level = below;
    }
    return pages;
  }

  /** Returns whether the counts match the record of the tree. */
  hasFound(tree: TreeRecord): boolean {
    const { branchPages, leafPages, bigPages, entries } = this.#found;
    return (
      entries === tree.entries &&
      branchPages === tree.branchPages &&
      leafPages === tree.leafPages &&
      bigPages === tree.bigPages
    );
  }

  #branch(wanted: ChildPage, level: number): Branch {
    const known = this.#path[level];
    if (known?.page === wanted.page) return known;
    const branch = this.#readBranch(wanted);
    this.#path[level] = branch;
    return branch;
  }

  #readBranch({ page, from, to }: ChildPage): Branch {
    const bytes = this.#reader.readPage(page);
    const bounded = { bytes, start: 0, pageBytes: bytes.length, from, to };
    const nodes = countSoundNodes(bounded, 'branch', this.#order);
    if (nodes === 0) throw damaged(page);
    this.#found.branchPages += 1;
    return { page, children: childPages(bounded, nodes) };
  }

  /** Returns the index of the child that the position is in. */
  #indexOf(children: readonly ChildPage[]): number {
    const position = this.#position;
    if (position === undefined) return 0;
    const after = children.findIndex(
      ({ from }, at) =>
        at > 0 && from !== undefined && compareKeys(this.#order, from, position) > 0,
    );
    return (after === -1 ? children.length : after) - 1;
  }

  #checkLowestBranches(branches: readonly ChildPage[]): void {
    this.#reader.readEach(inOrder(branches), ({ page, from, to }, bytes, start, pageBytes) => {
      const bounded = { bytes, start, pageBytes, from, to };
      if (countSoundNodes(bounded, 'branch', this.#order) === 0) throw damaged(page);
    });
  }

  #checkLeaves(leaves: readonly ChildPage[]): void {
    if (this.#order === 'numbers') {
      for (const leaf of leaves) this.#checkFreeLeaf(leaf);
      return;
    }
    this.#reader.readEach(inOrder(leaves), (leaf, bytes, start, pageBytes) => {
      const { page, from, to } = leaf;
      const special: number[] = [];
      const bounded = { bytes, start, pageBytes, from, to };
      const entries = countSoundNodes(bounded, 'leaf', this.#order, (at) => {
        special.push(at);
      });
      if (entries === 0) throw damaged(page);
      this.#found.leafPages += 1;
      this.#found.entries += entries;
      for (const at of special) {
        const node = leafNodeAt(bytes.subarray(start, start + pageBytes), at);
        if (node === undefined) throw damaged(page);
        this.#note(node);
      }
    });
  }

  /** Checks a leaf of the tree of free pages, whose values are lists. */
  #checkFreeLeaf({ page, from, to }: ChildPage): void {
    const bytes = this.#reader.readPage(page);
    const bounded = { bytes, start: 0, pageBytes: bytes.length, from, to };
    const nodes = leafNodesOf(bytes, countSoundNodes(bounded, 'leaf', this.#order));
    if (nodes === undefined || nodes.length === 0) throw damaged(page);
    this.#found.leafPages += 1;
    this.#found.entries += nodes.length;
    for (const { run, valueAt } of nodes) {
      if (run !== undefined) this.#found.bigPages += run.pages;
      const value = run === undefined ? bytes.subarray(valueAt) : this.#reader.readRun(run);
      for (const free of readFreePages(value)) this.freePages.push(free);
    }
  }

  #note({ key, run, tree }: LeafNode): void {
    if (tree !== undefined) this.nested.set(key.toString('latin1'), tree);
    if (run === undefined) return;
    this.#found.bigPages += run.pages;
    this.#reader.checkRun(run);
  }
}

/** Returns pages in the order of the file. */
function inOrder(pages: readonly ChildPage[]): readonly ChildPage[] {
  return pages.toSorted((one, other) => one.page - other.page);
}

function rootOf(page: number): ChildPage {
  return { page, from: undefined, to: undefined };
}

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
function countSoundNodes(
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
function childPages({ bytes, start, from, to }: BoundedPage, nodes: number): ChildPage[] {
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
function compareKeys(order: KeyOrder, one: KeySpan, other: KeySpan): number {
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
