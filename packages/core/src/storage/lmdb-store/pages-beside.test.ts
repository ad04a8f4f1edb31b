/** The check beside a writer finds damage, and takes no write for it. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../store/store.js';
import { readPageSpace } from './data-header.js';
import { openLmdbStore } from './open-lmdb-store.js';
import { checkPagesBeside } from './leaf-check.js';

const PAGE_BYTES = 4_096;
const BRANCH_PAGE = 0x01;
const LEAF_PAGE = 0x02;
const KEYS = 4_000;

let directory: string;
let store: Store;
let fd: number;
let seed: number;

/** Returns a pseudo-random integer below `end`. */
function random(end: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 0x1_0000_0000) * end);
}

const keyOf = (number: number): Uint8Array =>
  Buffer.from(`key ${String(number).padStart(6, '0')}${'-'.repeat(number % 50)}`);

function churn(from: number, to: number, writes: number): Promise<void> {
  return store.transact((tx) => {
    for (let write = 0; write < writes; write += 1) {
      const key = keyOf(from + random(to - from));
      const size = random(20) === 0 ? random(20_000) : random(900);
      if (random(3) === 0) tx.remove(key);
      else tx.put(key, Buffer.alloc(size, 1));
    }
  });
}

beforeEach(async () => {
  seed = 20_261_122;
  directory = await mkdtemp(join(tmpdir(), 'agentkeep-beside-'));
  store = await openLmdbStore({ directory, durability: 'relaxed', reserveBytes: 0 });
  for (let round = 0; round < 4; round += 1) await churn(0, KEYS, KEYS);
  fd = openSync(join(directory, 'data.mdb'), 'r+');
});

afterEach(async () => {
  await store.close();
  closeSync(fd);
  await rm(directory, { recursive: true, force: true });
});

const check = (): Promise<void> =>
  checkPagesBeside({ fd, readSpace: () => readPageSpace(fd), isClosing: () => false });

/** Writes without pause until a promise settles. Returns the number of commits. */
async function writeDuring(work: Promise<unknown>, from: number, to: number): Promise<number> {
  const state = { isOver: false };
  const settle = (): void => {
    state.isOver = true;
  };
  work.then(settle, settle);
  let commits = 0;
  for (; !state.isOver; commits += 1) await churn(from, to, 20);
  return commits;
}

test('an intact file has no fault, written or not', async () => {
  await check();
  for (let round = 0; round < 5; round += 1) {
    const checking = check();
    expect(await writeDuring(checking, 0, KEYS)).toBeGreaterThan(1);
    await checking;
  }
});

test('a damaged leaf is found, written beside or not', async () => {
  const bytes = readFileSync(join(directory, 'data.mdb'));
  const last = Buffer.from(keyOf(KEYS - 1)).subarray(0, 8);
  let page = 0;
  let newest = 0n;
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    const isLeaf = bytes.readUInt16LE(at + 18) === LEAF_PAGE;
    const transaction = bytes.readBigUInt64LE(at + 8);
    const isFound = isLeaf && bytes.subarray(at, at + PAGE_BYTES).includes(last);
    // Earlier versions of the leaf are on pages that are free now.
    if (!isFound || transaction < newest) continue;
    page = at / PAGE_BYTES;
    newest = transaction;
  }
  const good = bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
  writeSync(fd, Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, page * PAGE_BYTES);
  await expect(check()).rejects.toThrow(`page ${page}`);
  const checking = check();
  // LMDB must not read the damaged leaf, so only keys far from it are written.
  await Promise.all([
    expect(checking).rejects.toThrow(`page ${page}`),
    writeDuring(checking, 0, KEYS / 4),
  ]);
  writeSync(fd, good, 0, PAGE_BYTES, page * PAGE_BYTES);
  await check();
});

test('a damaged branch is found before any leaf is read', async () => {
  const bytes = readFileSync(join(directory, 'data.mdb'));
  const pagesOf = (flags: number): number[] =>
    Array.from({ length: bytes.length / PAGE_BYTES }, (_, page) => page).filter(
      (page) => bytes.readUInt16LE(page * PAGE_BYTES + 18) === flags,
    );
  const pageOf = (page: number): Buffer =>
    bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
  const write = (page: number, content: Buffer): void => {
    writeSync(fd, content, 0, PAGE_BYTES, page * PAGE_BYTES);
  };
  const restore = (page: number): void => {
    write(page, pageOf(page));
  };
  const messageOf = (): Promise<string> =>
    check().then(
      () => 'intact',
      (error: unknown) => (error as Error).message,
    );
  // Pages of earlier versions are free now, so only some of them have an effect.
  const leaves = pagesOf(LEAF_PAGE).filter((page) => pageOf(page).includes('key '));
  const branches = pagesOf(BRANCH_PAGE);
  for (const leaf of leaves) write(leaf, Buffer.alloc(PAGE_BYTES));
  let found = 0;
  for (const branch of branches) {
    write(branch, Buffer.alloc(PAGE_BYTES));
    if ((await messageOf()).endsWith(`page ${branch}`)) found += 1;
    restore(branch);
  }
  expect(found).toBeGreaterThan(1);
  expect(leaves.map((leaf) => `is damaged at page ${leaf}`)).toContain(await messageOf());
  for (const leaf of leaves) restore(leaf);
  await check();
});
