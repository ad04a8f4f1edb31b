/** A data file is refused exactly when one of its pages in use is damaged. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Store } from '../store/store.js';
import { openLmdbStore } from './open-lmdb-store.js';

const PAGE_BYTES = 4_096;
const SEED = 20_261_122;

let directory: string;
let random: (end: number) => number;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agentkeep-pages-'));
  random = numbersFrom(SEED);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** Returns a generator of pseudo-random integers below `end`, from a seed. */
function numbersFrom(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * end);
  };
}

const open = (): Promise<Store> => openLmdbStore({ directory, reserveBytes: 0 });

/** Puts and removes entries: short ones, long ones, and ones that fill pages of their own. */
async function churn(store: Store, keys: number): Promise<void> {
  await store.transact((tx) => {
    for (let count = 0; count < keys; count += 1) {
      const key = Buffer.from(`key ${random(400)}${'-'.repeat(random(60))}`);
      const size = random(20) === 0 ? random(30_000) : random(200);
      if (random(3) === 0) tx.remove(key);
      else tx.put(key, Buffer.alloc(size, random(256)));
    }
  });
}

async function contentsOf(store: Store): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  await store.scan(({ key, value }) => {
    contents.set(Buffer.from(key).toString(), Buffer.from(value).toString('latin1'));
  });
  return contents;
}

test('a store that was used and closed is never refused', async () => {
  for (let round = 0; round < 40; round += 1) {
    const store = await open();
    for (let batch = random(6); batch >= 0; batch -= 1) await churn(store, 1 + random(300));
    await store.close();
  }
  // Enough free pages that their list fills pages of its own.
  for (const size of [20_000, 0]) {
    const store = await open();
    await store.transact((tx) => {
      for (let at = 0; at < 1_000; at += 1) {
        const key = Buffer.from(`big ${at}`);
        if (size === 0) tx.remove(key);
        else tx.put(key, Buffer.alloc(size, at));
      }
    });
    await churn(store, 100);
    await store.close();
  }
  await (await open()).close();
});

const damages: Readonly<Record<string, (page: Buffer, all: Buffer) => void>> = {
  zeroed: (page) => page.fill(0),
  random: (page) => {
    for (let at = 0; at < page.length; at += 1) page[at] = random(256);
  },
  'copied from another place': (page, all) => {
    all.copy(page, 0, PAGE_BYTES * (2 + random(all.length / PAGE_BYTES - 2)));
  },
  'with another header': (page) => {
    page[random(24)]! ^= 1 << random(8);
  },
};

test.each(Object.entries(damages))(
  'a page %s is refused or has no effect',
  async (_name, damage) => {
    const store = await open();
    for (let batch = 0; batch < 3; batch += 1) await churn(store, 100);
    const before = await contentsOf(store);
    await store.close();
    const path = join(directory, 'data.mdb');
    const good = await readFile(path);
    let refused = 0;
    const pages = good.length / PAGE_BYTES;
    for (let page = 0; page < pages; page += 1) {
      const bad = Buffer.from(good);
      damage(bad.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), good);
      await writeFile(path, bad);
      try {
        const opened = await open();
        // Later pages of a run hold only the value itself, without a header to check.
        if (isTree(good, page)) expect(await contentsOf(opened)).toEqual(before);
        await opened.close();
      } catch (error) {
        if (!(error instanceof AgentkeepError)) throw error;
        expect(error.code).toBe('store_incompatible');
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(pages / 8);
  },
);

/** Returns whether a page is a branch or a leaf of a tree. */
function isTree(file: Buffer, page: number): boolean {
  const start = page * PAGE_BYTES;
  return file.readBigUInt64LE(start) === BigInt(page) && (file[start + 18]! & 3) !== 0;
}
