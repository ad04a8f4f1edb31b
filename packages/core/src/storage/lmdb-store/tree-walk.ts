/** Checks the pages of one tree: their form and bounds, and the order of their keys. */
import {
  type ChildPage,
  childPages,
  compareKeys,
  countSoundNodes,
  type KeyOrder,
  type KeySpan,
} from './page-nodes.js';
import {
  leafNodeAt,
  leafNodesOf,
  type LeafNode,
  readFreePages,
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
