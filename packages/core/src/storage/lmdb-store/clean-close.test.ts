/**
 * After a clean close, leaves are checked beside the opened store, and only if nothing has touched
 * the data file since.
 */
import {
  copyFile,
  cp,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Store } from '../store/store.js';
import {
  CLOSE_RECORD_FILE,
  isCleanlyClosed,
  recordCleanClose,
  RECORDED_BYTES_MIN,
} from './clean-close.js';
import { openLmdbStore } from './open-lmdb-store.js';

const PAGE_BYTES = 4_096;
const FLAGS = { branch: 0x01, leaf: 0x02 };
const VALUE_BYTES = 1_000;

let parent: string;
let directory: string;
let fatal: AgentkeepError[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'agentkeep-clean-'));
  directory = join(parent, 'store');
  fatal = [];
});

afterEach(() => rm(parent, { recursive: true, force: true }));

const openStore = (durability: 'strict' | 'relaxed' = 'strict'): Promise<Store> =>
  openLmdbStore({
    directory,
    durability,
    reserveBytes: 0,
    onFatal: (error) => fatal.push(error),
  });

const keyAt = (index: number): Uint8Array => Buffer.from(`key ${String(index).padStart(8, '0')}`);

/** Fills a store so far that it has more branches than an opening reads, and closes it. */
async function makeLargeStore(durability: 'strict' | 'relaxed' = 'strict'): Promise<void> {
  const store = await openStore(durability);
  const entries = Math.ceil((4 * RECORDED_BYTES_MIN) / VALUE_BYTES);
  await store.transact((tx) => {
    for (let at = 0; at < entries; at += 1) tx.put(keyAt(at), Buffer.alloc(VALUE_BYTES, at));
  });
  await store.close();
}

const dataFile = (): string => join(directory, 'data.mdb');

function hasRecord(): Promise<boolean> {
  return stat(join(directory, CLOSE_RECORD_FILE)).then(
    () => true,
    () => false,
  );
}

/** Overwrites a page in the middle of the file with zeros. */
async function damage(kind: 'branch' | 'leaf'): Promise<void> {
  const bytes = await readFile(dataFile());
  let page = Math.floor(bytes.length / PAGE_BYTES / 2);
  const isWanted = (): boolean =>
    bytes.readBigUInt64LE(page * PAGE_BYTES) === BigInt(page) &&
    bytes.readUInt16LE(page * PAGE_BYTES + 18) === FLAGS[kind];
  while (!isWanted()) page += 1;
  const file = await open(dataFile(), 'r+');
  await file.write(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, page * PAGE_BYTES);
  await file.close();
}

describe('the record of a clean close', () => {
  test('is left by large stores only, and is gone while the store is open', async () => {
    await (await openStore()).close();
    expect(await hasRecord()).toBe(false);
    await makeLargeStore();
    expect(await isCleanlyClosed(directory)).toBe(true);
    const store = await openStore();
    expect(await hasRecord()).toBe(false);
    await store.close();
    expect(await isCleanlyClosed(directory)).toBe(true);
  });

  test('is left by a store of relaxed durability too', async () => {
    await makeLargeStore('relaxed');
    expect(await isCleanlyClosed(directory)).toBe(true);
  });

  test('counts for nothing after any change of the file', async () => {
    await makeLargeStore();
    const record = await readFile(join(directory, CLOSE_RECORD_FILE));
    const { atime, mtime, size } = await stat(dataFile());
    const changes: Record<string, () => Promise<void>> = {
      'a rewritten byte': async () => {
        const file = await open(dataFile(), 'r+');
        const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 40_000);
        await file.write(buffer, 0, 1, 40_000);
        await file.utimes(atime, mtime);
        await file.close();
      },
      'a copy in its place': async () => {
        await copyFile(dataFile(), `${dataFile()}.copy`);
        await rename(`${dataFile()}.copy`, dataFile());
      },
      'a shorter file': async () => {
        const file = await open(dataFile(), 'r+');
        await file.truncate(size - PAGE_BYTES);
        await file.close();
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      await recordCleanClose(directory);
      expect(await isCleanlyClosed(directory), name).toBe(true);
      await change();
      expect(await isCleanlyClosed(directory), name).toBe(false);
    }
    await writeFile(join(directory, CLOSE_RECORD_FILE), record);
    expect(await isCleanlyClosed(directory)).toBe(false);
  });

  test('counts for nothing in a copy of the directory', async () => {
    await makeLargeStore();
    const copy = join(parent, 'copy');
    await cp(directory, copy, { recursive: true, preserveTimestamps: true });
    expect(await isCleanlyClosed(copy)).toBe(false);
  });
});

describe.each(['branch', 'leaf'] as const)('a damaged %s', (kind) => {
  test('is refused at the opening if a program wrote it', async () => {
    await makeLargeStore();
    await damage(kind);
    await expect(openStore()).rejects.toMatchObject({ code: 'store_incompatible' });
  });

  test('ends the store soon after the opening if the disk altered it', async () => {
    await makeLargeStore();
    await damage(kind);
    // As if no system call had changed the file.
    await recordCleanClose(directory);
    const store = await openStore();
    await eventually(() => {
      expect(fatal).toMatchObject([{ code: 'storage_inconsistency' }]);
    });
    await expect(store.read((tx) => tx.get(keyAt(0)))).rejects.toBe(fatal[0]);
    await expect(store.transact(() => undefined)).rejects.toBe(fatal[0]);
    await store.close();
    expect(await hasRecord()).toBe(false);
    await expect(openStore()).rejects.toMatchObject({ code: 'store_incompatible' });
  });
});
