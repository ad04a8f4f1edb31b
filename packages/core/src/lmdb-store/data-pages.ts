/**
 * A walk over the pages of a data file that are in use, for files shorter than they may be.
 * @module
 */
import type { FileHandle } from 'node:fs/promises';
import { endianness } from 'node:os';

/** Bytes before the node table of a page. */
export const PAGE_HEADER_BYTES = 24;

const BRANCH_PAGE = 0x01;
const LEAF_PAGE = 0x02;
const BIG_NODE = 0x01;
const TREE_NODE = 0x02;
const NODE_HEADER_BYTES = 8;
const TREE_RECORD_BYTES = 48;
const ROOT_IN_TREE_RECORD = 40;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const IS_LITTLE = endianness() === 'LE';

/** What a page refers to: pages below it in the tree, and runs of pages that hold big values. */
interface References {
  readonly pages: readonly number[];
  /** One past the last page of the longest run. */
  readonly runEnd: number;
}

/** The root page in a tree record; `undefined` for an empty tree. */
export function readRoot(view: DataView, record: number): number | undefined {
  const root = view.getBigUint64(record + ROOT_IN_TREE_RECORD, IS_LITTLE);
  return root === NO_PAGE ? undefined : Number(root);
}

/** Whether every page that is reachable from some roots is below a page count, and is readable. */
export async function allPagesLieWithin(
  file: FileHandle,
  pageBytes: number,
  pageCount: number,
  roots: readonly (number | undefined)[],
): Promise<boolean> {
  const pending = roots.filter((root) => root !== undefined);
  const bytes = Buffer.alloc(pageBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, pageBytes);
  // Each page has one parent, so a walk longer than the file runs in circles.
  for (let visited = 0; pending.length > 0; visited += 1) {
    const page = pending.pop() ?? 0;
    if (page >= pageCount || visited > pageCount) return false;
    await file.read(bytes, 0, pageBytes, page * pageBytes);
    const references = readReferences(view);
    if (references === undefined || references.runEnd > pageCount) return false;
    pending.push(...references.pages);
  }
  return true;
}

/** What a page refers to, or `undefined` if it makes no sense. */
function readReferences(view: DataView): References | undefined {
  const flags = view.getUint16(18, IS_LITTLE);
  const nodes = view.getUint16(20, IS_LITTLE) >>> 1;
  const isBranch = (flags & BRANCH_PAGE) !== 0;
  if (!isBranch && (flags & LEAF_PAGE) === 0) return undefined;
  const pages: number[] = [];
  let runEnd = 0;
  try {
    for (let index = 0; index < nodes; index += 1) {
      const node = PAGE_HEADER_BYTES + view.getUint16(PAGE_HEADER_BYTES + 2 * index, IS_LITTLE);
      if (isBranch) pages.push(readChild(view, node));
      else runEnd = Math.max(runEnd, readLeafNode(view, node, pages));
    }
  } catch (error) {
    // An offset beyond the page.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return { pages, runEnd };
}

function readChild(view: DataView, node: number): number {
  const low = view.getUint16(node + (IS_LITTLE ? 0 : 2), IS_LITTLE);
  const high = view.getUint16(node + (IS_LITTLE ? 2 : 0), IS_LITTLE);
  const top = view.getUint16(node + 4, IS_LITTLE);
  return top * 2 ** 32 + high * 2 ** 16 + low;
}

/** Collects the root of a nested tree; returns the end of the run of pages of a big value. */
function readLeafNode(view: DataView, node: number, pages: number[]): number {
  const flags = view.getUint16(node + 4, IS_LITTLE);
  const data = node + NODE_HEADER_BYTES + view.getUint16(node + 6, IS_LITTLE);
  if ((flags & TREE_NODE) !== 0 && data + TREE_RECORD_BYTES <= view.byteLength) {
    const root = readRoot(view, data);
    if (root !== undefined) pages.push(root);
  }
  if ((flags & BIG_NODE) === 0) return 0;
  const firstPage = Number(view.getBigUint64(data, IS_LITTLE));
  return firstPage + Number(view.getBigUint64(data + 16, IS_LITTLE));
}
