/**
 * The file format of LMDB, which checks of pages read. When a test fails after an update of `lmdb`,
 * compare `data-header.ts`, `page-layout.ts` and `tree-walk.ts` with the new format before you
 * change the expectation.
 */
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPageSpace } from './data-header.js';
import { checkPages, type PageSpace } from './data-pages.js';
import {
  type LeafNode,
  leafNodesOf,
  NODE_HEADER_BYTES,
  PAGE_HEADER_BYTES,
  type TreeRecord,
} from './page-layout.js';
import { PageReader } from './page-reader.js';

const ENTRIES = 2_000;
const BIG_BYTES = 20_000;
const keyOf = (at: number): Buffer => Buffer.from(`key ${String(at).padStart(5, '0')}`);
const valueOf = (at: number): Buffer => Buffer.alloc(40, at);
const big = Buffer.alloc(BIG_BYTES, 'b');

interface Stats {
  readonly treeDepth: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
  readonly entryCount: number;
  readonly pageSize: number;
}

let directory: string;
let fd: number;
let space: PageSpace;
let stats: Stats;

/** Writes a file with LMDB itself, and remembers what LMDB reports about it. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agentkeep-format-'));
  const root = open({ path: join(directory, 'data.mdb'), noSubdir: true, overlappingSync: false });
  const options = { name: 'tree', keyEncoding: 'binary', encoding: 'binary' } as const;
  const tree = root.openDB<Buffer, Buffer>(options);
  root.transactionSync(() => {
    for (let at = 0; at < ENTRIES; at += 1) tree.putSync(keyOf(at), valueOf(at));
    tree.putSync(Buffer.from('a big value'), big);
  });
  stats = tree.getStats() as Stats;
  await root.close();
  fd = openSync(join(directory, 'data.mdb'), 'r');
  space = readPageSpace(fd);
});

afterAll(async () => {
  closeSync(fd);
  await rm(directory, { recursive: true });
});

function readLeaf(reader: PageReader, page: number): LeafNode[] {
  const bytes = Buffer.from(reader.readPage(page));
  const nodes = bytes.readUInt16LE(20) / 2;
  return leafNodesOf(bytes, nodes) ?? [];
}

/** Returns the record of the named tree, from the leaf of the main tree. */
function treeOf(): TreeRecord | undefined {
  const { root } = space.mainTree;
  if (root === undefined) return undefined;
  return readLeaf(new PageReader(fd, space), root).find(({ key }) => key.includes('tree'))?.tree;
}

test('the header of a new file has two pages, a page size and the record of the main tree', () => {
  expect(space.pageBytes).toBe(stats.pageSize);
  expect(space.mainTree).toMatchObject({ depth: 1, leafPages: 1, entries: 1 });
  expect(space.filePages).toBeGreaterThan(space.lastPage);
});

test('the record of a tree states the counts that LMDB reports', () => {
  expect(treeOf()).toMatchObject({
    depth: stats.treeDepth,
    branchPages: stats.treeBranchPageCount,
    leafPages: stats.treeLeafPageCount,
    bigPages: stats.overflowPages,
    entries: ENTRIES + 1,
  });
  expect(stats).toMatchObject({ entryCount: ENTRIES + 1, treeDepth: 2 });
});

test('a leaf states keys, values and the runs of big values', () => {
  const reader = new PageReader(fd, space);
  const root = treeOf()?.root ?? 0;
  const branch = Buffer.from(reader.readPage(root));
  // A branch node has the number of its page in the place of the length of a value.
  const first = branch.readUInt32LE(PAGE_HEADER_BYTES + branch.readUInt16LE(PAGE_HEADER_BYTES));
  const [bigNode, next] = readLeaf(reader, first);
  expect(bigNode?.key.toString()).toBe('a big value');
  const value = bigNode?.run === undefined ? undefined : reader.readRun(bigNode.run);
  expect(value?.subarray(0, BIG_BYTES).equals(big)).toBe(true);
  expect(next?.key.equals(keyOf(0))).toBe(true);
  expect(NODE_HEADER_BYTES).toBe(8);
});

test('every page in use is found sound', async () => {
  await expect(checkPages(fd, space)).resolves.toBeUndefined();
});
