/**
 * Several processes on one directory: there is one owner at a time, and no acknowledged write is
 * lost when it is killed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open as openFile, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleModule } from '@agentkeep/testkit/bundle-module';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../store/store.js';
import { openLmdbStore } from './open-lmdb-store.js';

const PAGE_BYTES = 4_096;

/** Opens the store, prints the outcome, and writes pairs of rows until it is stopped. */
const OWNER = `
const [, url, directory, writers] = process.argv;
const { openLmdbStore } = await import(url);
const bytes = (text) => new TextEncoder().encode(text);
try {
  const store = await openLmdbStore({ directory, reserveBytes: 0 });
  console.log('open');
  process.stdin.once('data', async () => {
    await store.close();
    process.exit(0);
  });
  let next = 0;
  const write = async () => {
    for (;;) {
      const id = String(next++).padStart(9, '0');
      await store.transact((tx) => {
        tx.put(bytes('left/' + id), bytes('x'.repeat(600)));
        tx.put(bytes('right/' + id), bytes('y'));
      });
      console.log(id);
    }
  };
  for (let index = 0; index < Number(writers); index += 1) write().catch(() => undefined);
} catch (error) {
  console.log(error.code);
  process.exit(1);
}
`;

const core = new URL('../../../', import.meta.url);
let storeModule: string;

let parent: string;
let directory: string;
let owners: ChildProcess[];

beforeAll(async () => {
  storeModule = await bundleModule('storage/lmdb-store/open-lmdb-store.ts', core);
});

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'agentkeep-process-'));
  directory = join(parent, 'store');
  owners = [];
});

afterEach(async () => {
  await Promise.all(owners.map(kill));
  await rm(parent, { recursive: true, force: true });
});

/** Starts a process that tries to own the directory, with its output line by line. */
function startOwner(writers: number) {
  const flags = ['--input-type=module', '--eval', OWNER];
  const child = spawn(process.execPath, [...flags, storeModule, directory, String(writers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  owners.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value as string | undefined;
  return { child, nextLine };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function open(): Promise<Store> {
  return openLmdbStore({ directory, reserveBytes: 0 });
}

function idsUnder(store: Store, prefix: string): Promise<string[]> {
  const from = Buffer.from(`${prefix}/`);
  const to = Buffer.from(`${prefix}0`);
  return store.read((tx) =>
    Array.from(tx.range({ from, to }), ({ key }) =>
      Buffer.from(key)
        .toString()
        .slice(prefix.length + 1),
    ),
  );
}

/** Overwrites all pages that hold a key, also those that are no longer used, by zeros. */
async function damagePagesWith(key: string, path: string): Promise<void> {
  const bytes = await readFile(path);
  const pages = new Set<number>();
  for (let at = bytes.indexOf(key); at !== -1; at = bytes.indexOf(key, at + 1)) {
    pages.add(Math.floor(at / PAGE_BYTES));
  }
  const file = await openFile(path, 'r+');
  for (const page of pages) {
    await file.write(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  await file.close();
}

describe('processes on one directory', () => {
  test('are refused until the owner closes', async () => {
    const owner = startOwner(0);
    expect(await owner.nextLine()).toBe('open');
    await expect(open()).rejects.toMatchObject({ code: 'store_in_use' });
    const rival = startOwner(0);
    expect(await rival.nextLine()).toBe('store_in_use');
    // Refused processes have not released the owner's lock.
    await expect(open()).rejects.toMatchObject({ code: 'store_in_use' });
    const exit = once(owner.child, 'exit');
    owner.child.stdin.write('close\n');
    await exit;
    const store = await open();
    expect(await startOwner(0).nextLine()).toBe('store_in_use');
    await store.close();
    expect(await startOwner(0).nextLine()).toBe('open');
  });

  test('are refused before the pages are checked', async () => {
    const store = await open();
    await store.transact((tx) => {
      for (let at = 0; at < 100; at += 1) tx.put(Buffer.from(`key ${at}`), Buffer.alloc(600));
    });
    await store.close();
    const owner = startOwner(0);
    expect(await owner.nextLine()).toBe('open');
    await damagePagesWith('key 50', join(directory, 'data.mdb'));
    await expect(open()).rejects.toMatchObject({ code: 'store_in_use' });
    expect(await startOwner(0).nextLine()).toBe('store_in_use');
    await kill(owner.child);
    await expect(open()).rejects.toMatchObject({ code: 'store_incompatible' });
  });

  test('have one owner when several create the store at once', async () => {
    const rivals = [startOwner(0), startOwner(0), startOwner(0), startOwner(0)];
    const outcomes = await Promise.all(rivals.map((rival) => rival.nextLine()));
    expect(outcomes.sort()).toEqual(['open', 'store_in_use', 'store_in_use', 'store_in_use']);
  });

  test('lose no acknowledged write when the owner is killed', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const owner = startOwner(16);
      expect(await owner.nextLine()).toBe('open');
      for (let count = 0; count < 400; count += 1) {
        acknowledged.push((await owner.nextLine()) ?? 'gone');
      }
      await kill(owner.child);
      const store = await open();
      const left = await idsUnder(store, 'left');
      expect(await idsUnder(store, 'right')).toEqual(left);
      const kept = new Set(left);
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      await store.close();
    }
  });
});
