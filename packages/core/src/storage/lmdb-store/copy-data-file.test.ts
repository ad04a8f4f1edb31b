/** Copies of a data file: flushed in slices, and one committed state beside any writes. */
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../store/store.js';
import { copySlices, SLICE_BYTES } from './copy-data-file.js';
import { checkDataFile, dataFileOf } from './data-file.js';
import { openLmdbStore } from './open-lmdb-store.js';

const KEYS = 2_000;
const VALUE_BYTES = 6_000;
/** Entries of one transaction. Each transaction gives all of them its own number. */
const MARKS = 20;

let parent: string;
let store: Store;

const directory = (): string => join(parent, 'store');
const copy = (): string => join(parent, 'copy');

const fillKey = (number: number): Uint8Array =>
  Buffer.from(`entry ${String(number % KEYS).padStart(6, '0')}`);
const markKey = (number: number): Uint8Array =>
  Buffer.from(`entry ${String((number * KEYS) / MARKS).padStart(6, '0')} mark`);

/** Replaces a tenth of the values, and writes a number into every mark. */
function replace(round: number): Promise<void> {
  return store.transact((tx) => {
    for (let index = 0; index < KEYS / 10; index += 1) {
      const size = VALUE_BYTES - 10 * (round % 100);
      tx.put(fillKey(round * 7 + index * 11), Buffer.alloc(size, round));
    }
    for (let mark = 0; mark < MARKS; mark += 1) tx.put(markKey(mark), Buffer.from(String(round)));
  });
}

/** Returns the numbers in the marks of a store. */
async function marksOf(opened: Store): Promise<string[]> {
  return opened.read((tx) =>
    Array.from({ length: MARKS }, (_, mark) => Buffer.from(tx.get(markKey(mark))!).toString()),
  );
}

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'agentkeep-copy-'));
  store = await openLmdbStore({
    directory: directory(),
    durability: 'relaxed',
    mapSizeBytes: 2 ** 20,
    reserveBytes: 0,
  });
  for (let round = 0; round < 30; round += 1) await replace(round);
});

afterEach(async () => {
  await store.close();
  await rm(parent, { recursive: true, force: true });
});

test('writes no more than a slice between two flushes, and all of the state', async () => {
  const source = await open(dataFileOf(directory()), 'r');
  const unflushed: number[] = [];
  let written = 0;
  let waiting = 0;
  await copySlices(source, {
    writeFile: (bytes) => {
      waiting += (bytes as Uint8Array).length;
      written += (bytes as Uint8Array).length;
      return Promise.resolve();
    },
    datasync: () => {
      unflushed.push(waiting);
      waiting = 0;
      return Promise.resolve();
    },
  });
  await source.close();
  expect(unflushed.length).toBeGreaterThan(2);
  expect(Math.max(...unflushed)).toBeLessThanOrEqual(SLICE_BYTES);
  expect(waiting).toBe(0);
  expect(written).toBe((await stat(dataFileOf(directory()))).size);
});

test('a copy beside writes is one committed state, whose pages are whole', async () => {
  const first = 30;
  let next = first;
  let isDone = false;
  const backup = store.backup(copy()).finally(() => (isDone = true));
  while (!isDone) await replace(next++);
  await backup;
  expect(next - first).toBeGreaterThan(2);
  expect(await checkDataFile(copy(), 'pages')).toBe(true);
  const opened = await openLmdbStore({
    directory: copy(),
    durability: 'relaxed',
    reserveBytes: 0,
  });
  const numbers = new Set(await marksOf(opened));
  await opened.close();
  expect(numbers.size).toBe(1);
  expect(Number([...numbers][0])).toBeGreaterThanOrEqual(first - 1);
  expect([...new Set(await marksOf(store))]).toEqual([String(next - 1)]);
});
