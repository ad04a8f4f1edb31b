/**
 * Copies of a data file: flushed in slices, and one committed state beside any writes
 * (docs/contract/snapshots.md#snp-12, #snp-25).
 */
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../store/store.js';
import {
  checkDataFile,
  copySlices,
  type CopyTarget,
  dataFileOf,
  SLICE_BYTES,
} from './data-file.js';
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
  for (let round = 0; round < 20; round += 1) await replace(round);
});

afterEach(async () => {
  await store.close();
  await rm(parent, { recursive: true, force: true });
});

/** A file in memory, which takes at most some bytes of each write. */
class SlowFile implements CopyTarget {
  readonly bytes: Buffer;
  readonly flushed: number[] = [];
  #unflushed = 0;
  readonly #bytesMax: number;

  constructor(size: number, bytesMax: number) {
    this.bytes = Buffer.alloc(size);
    this.#bytesMax = bytesMax;
  }

  write(buffer: Uint8Array, offset: number, length: number, position: number) {
    const bytesWritten = Math.min(length, this.#bytesMax);
    this.bytes.set(buffer.subarray(offset, offset + bytesWritten), position);
    this.#unflushed += bytesWritten;
    return Promise.resolve({ bytesWritten });
  }

  datasync(): Promise<void> {
    this.flushed.push(this.#unflushed);
    this.#unflushed = 0;
    return Promise.resolve();
  }
}

test.each([SLICE_BYTES, 1_000_003, 5_000_000])(
  'SNP-25 flushes each slice before the next one, where a write takes at most %i bytes',
  async (bytesMax) => {
    const data = await readFile(dataFileOf(directory()));
    const target = new SlowFile(data.length, bytesMax);
    const source = await open(dataFileOf(directory()), 'r');
    await copySlices(source, target);
    await source.close();
    expect(data.length).toBeGreaterThan(SLICE_BYTES);
    expect(target.bytes.equals(data)).toBe(true);
    expect(Math.max(...target.flushed)).toBeLessThanOrEqual(SLICE_BYTES);
    const flushed = target.flushed.reduce((sum, each) => sum + each, 0);
    expect(flushed).toBe(data.length);
  },
);

test('a shortened data file ends the copy', async () => {
  const cut = join(parent, 'cut');
  const data = await readFile(dataFileOf(directory()));
  await writeFile(cut, data);
  const source = await open(cut, 'r+');
  const target = new SlowFile(data.length, 4_096);
  const shortening: CopyTarget = {
    write: async (...slice) => {
      await source.truncate(4_096);
      return target.write(...slice);
    },
    datasync: () => target.datasync(),
  };
  const copied = copySlices(source, shortening);
  await expect(copied).rejects.toMatchObject({ code: 'storage_inconsistency' });
  await source.close();
});

test('a copy beside writes is one committed state, whose pages are whole', async () => {
  const first = 20;
  let next = first;
  const state = { isDone: false };
  const backup = store.backup(copy()).finally(() => (state.isDone = true));
  while (!state.isDone) await replace(next++);
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
