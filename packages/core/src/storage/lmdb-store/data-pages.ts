/**
 * Checks every page in use of a data file. LMDB trusts them: some kinds of damage end the process,
 * others return wrong data.
 */
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import {
  type BranchNode,
  type LeafNode,
  numberOf,
  PAGE_HEADER_BYTES,
  readFreePages,
  readTreePage,
  runLength,
  type PageRun,
  type TreeRecord,
} from './page-layout.js';

/** Pages that are read before the walk yields to other work. */
const SLICE_PAGES = 1_024;

/** Meta pages at the start of a file, which belong to no tree. */
const HEADER_PAGES = 2;

/** The trees and the size of a data file, as its newest header says. */
export interface PageSpace {
  readonly pageBytes: number;
  /** Highest number of a page in use or free. */
  readonly lastPage: number;
  /** Number of pages in the file. */
  readonly filePages: number;
  readonly freeTree: TreeRecord;
  readonly mainTree: TreeRecord;
}

/** A page to read, with the bounds of its keys. */
interface Pending {
  readonly page: number;
  readonly level: number;
  readonly from: Buffer | undefined;
  readonly to: Buffer | undefined;
}

/** Compares two keys of a tree. */
type Order = (one: Buffer, other: Buffer) => number;

const byBytes: Order = (one, other) => Buffer.compare(one, other);
/** The keys of the tree of free pages are transaction numbers. */
const byNumber: Order = (one, other) =>
  one.length === 8 && other.length === 8 ? compareNumbers(one, other) : 0;

/**
 * Reads every page in use. Returns a description of the first fault, as the predicate of a sentence
 * about the file, or `undefined` if there is none.
 */
export async function findPageFault(
  file: FileHandle,
  space: PageSpace,
): Promise<string | undefined> {
  const walk = new PageWalk(file, space);
  try {
    await walk.readTree(space.mainTree, byBytes);
    await walk.readTree(space.freeTree, byNumber);
    walk.checkFreePages();
    return undefined;
  } catch (error) {
    if (error instanceof PageFault) return error.message;
    throw error;
  }
}

/** A fault of a page. The message is the predicate of a sentence about the file. */
class PageFault extends Error {
  override readonly name = 'PageFault';
}

class PageWalk {
  readonly #file: FileHandle;
  readonly #space: PageSpace;
  /** One bit per page. */
  readonly #used: Uint8Array;
  readonly #free: number[] = [];
  #read = 0;

  constructor(file: FileHandle, space: PageSpace) {
    this.#file = file;
    this.#space = space;
    const pages = Math.min(space.lastPage + 1, space.filePages);
    this.#used = new Uint8Array(Math.ceil(pages / 8));
  }

  /** Reads a tree and its named subtrees. */
  async readTree(tree: TreeRecord, order: Order): Promise<void> {
    const found = { branchPages: 0, leafPages: 0, bigPages: 0, entries: 0 };
    const nested: TreeRecord[] = [];
    const { root } = tree;
    const pending: Pending[] = [];
    if (root !== undefined) pending.push({ page: root, level: 1, from: undefined, to: undefined });
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (++this.#read % SLICE_PAGES === 0) await setImmediate();
      const bytes = this.#readPages(next.page, 1);
      const page = readTreePage(bytes);
      const isLowest = next.level === tree.depth;
      if (page === undefined || page.nodes.length === 0) throw damaged(next.page);
      if ((page.type === 'leaf') !== isLowest) throw damaged(next.page);
      if (page.type === 'branch') {
        found.branchPages += 1;
        pending.push(...childrenOf(next, page.nodes, order));
        continue;
      }
      checkOrder(next, page.nodes, order, 0);
      found.leafPages += 1;
      found.entries += page.nodes.length;
      for (const { run, tree: inside, valueAt } of page.nodes) {
        if (inside !== undefined) nested.push(inside);
        if (run !== undefined) found.bigPages += run.pages;
        const big = run === undefined ? undefined : this.#readRun(run);
        if (order === byNumber) this.#noteFree(big ?? bytes.subarray(valueAt));
      }
    }
    if (!isSame(found, tree)) throw new PageFault('does not match its header');
    for (const each of nested) await this.readTree(each, byBytes);
  }

  /** Checks that no page is both free and in use. */
  checkFreePages(): void {
    for (const page of this.#free) {
      if (page > this.#space.lastPage || page < HEADER_PAGES || this.#isUsed(page)) {
        throw new PageFault(`lists page ${page} as free, but uses it`);
      }
    }
  }

  #noteFree(value: Buffer): void {
    for (const page of readFreePages(value)) this.#free.push(page);
  }

  /** Reads the bytes of some pages and marks them as used. */
  #readPages(first: number, pages: number): Buffer {
    const { pageBytes, lastPage, filePages } = this.#space;
    if (first < HEADER_PAGES || first + pages - 1 > lastPage) throw damaged(first);
    if (first + pages > filePages) throw new PageFault('is truncated');
    for (let each = first; each < first + pages; each += 1) this.#use(each);
    const bytes = Buffer.allocUnsafe(pages * pageBytes);
    const length = readSync(this.#file.fd, bytes, 0, bytes.length, first * pageBytes);
    if (length < bytes.length) throw new PageFault('is truncated');
    if (numberOf(bytes) !== first) throw damaged(first);
    return bytes;
  }

  /** Reads a run: its value, and any bytes that follow on the last page. */
  #readRun({ first, pages }: PageRun): Buffer {
    const bytes = this.#readPages(first, pages);
    if (runLength(bytes) !== pages) throw damaged(first);
    return bytes.subarray(PAGE_HEADER_BYTES);
  }

  /** Marks a page as used. Each page has exactly one place in one tree. */
  #use(page: number): void {
    if (this.#isUsed(page)) throw damaged(page);
    this.#used[page >>> 3] = (this.#used[page >>> 3] ?? 0) | (1 << (page & 7));
  }

  #isUsed(page: number): boolean {
    return ((this.#used[page >>> 3] ?? 0) & (1 << (page & 7))) !== 0;
  }
}

/** Returns the children of a branch, with the bounds of their keys. The first has no lower key. */
function childrenOf(parent: Pending, nodes: readonly BranchNode[], order: Order): Pending[] {
  checkOrder(parent, nodes, order, 1);
  return nodes.map(({ key, child }, at) => ({
    page: child,
    level: parent.level + 1,
    from: at === 0 ? parent.from : key,
    to: nodes[at + 1]?.key ?? parent.to,
  }));
}

/** Checks that keys ascend and are within the bounds of their page. */
function checkOrder(
  { page, from, to }: Pending,
  nodes: readonly Pick<LeafNode, 'key'>[],
  order: Order,
  first: number,
): void {
  let before = from;
  for (const [at, { key }] of nodes.entries()) {
    if (at < first) continue;
    const compared = before === undefined ? 1 : order(key, before);
    // The first key of a page may equal the lower bound.
    if (compared < 0 || (compared === 0 && at > first)) throw damaged(page);
    before = key;
  }
  if (to !== undefined && before !== undefined && order(before, to) >= 0) throw damaged(page);
}

function isSame(found: Omit<TreeRecord, 'depth' | 'root'>, said: TreeRecord): boolean {
  return (
    found.entries === said.entries &&
    found.branchPages === said.branchPages &&
    found.leafPages === said.leafPages &&
    found.bigPages === said.bigPages
  );
}

function compareNumbers(one: Buffer, other: Buffer): number {
  const [a, b] = [one.readBigUInt64LE(), other.readBigUInt64LE()];
  return a < b ? -1 : Number(a > b);
}

function damaged(page: number): PageFault {
  return new PageFault(`is damaged at page ${page}`);
}
