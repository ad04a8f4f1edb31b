/** Which directories can be opened as a store, and which files an opening leaves in them. */
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Store } from '../store/store.js';
import { dataFileOf } from './data-file.js';
import { openLmdbStore, type LmdbStoreOptions } from './open-lmdb-store.js';

const key = Uint8Array.from([1]);
const value = Uint8Array.from([7]);

let parent: string;
let directory: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'agentkeep-open-'));
  directory = join(parent, 'store');
});

afterEach(() => rm(parent, { recursive: true, force: true }));

function openStore(options: Partial<LmdbStoreOptions> = {}): Promise<Store> {
  return openLmdbStore({ directory, ...options });
}

/** Creates a store with one entry and closes it. */
async function makeStore(options: Partial<LmdbStoreOptions> = {}): Promise<void> {
  const store = await openStore(options);
  await store.transact((tx) => tx.put(key, value));
  await store.close();
}

/** Opens the store. Returns the code of the failure, or the stored value. */
async function outcome(options: Partial<LmdbStoreOptions> = {}): Promise<unknown> {
  try {
    const store = await openStore(options);
    try {
      return await store.read((tx) => tx.get(key)?.[0]);
    } finally {
      await store.close();
    }
  } catch (error) {
    return error instanceof AgentkeepError ? error.code : error;
  }
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

function data(): string {
  return join(directory, 'data.mdb');
}

function manifest(): string {
  return join(directory, 'agentkeep.json');
}

async function editManifest(change: Record<string, unknown>): Promise<void> {
  const document = JSON.parse(await readFile(manifest(), 'utf8')) as object;
  await writeFile(manifest(), JSON.stringify({ ...document, ...change }));
}

describe('files of a store', () => {
  test.each([0o000, 0o022, 0o077])('are private under umask %o', async (umask) => {
    const before = process.umask(umask);
    try {
      await makeStore();
      const store = await openStore();
      await store.backup(join(parent, 'copy'));
      await store.close();
    } finally {
      process.umask(before);
    }
    for (const made of [directory, join(parent, 'copy')]) {
      expect(await modeOf(made)).toBe('700');
      for (const name of await readdir(made)) expect(await modeOf(join(made, name))).toBe('600');
    }
    expect((await readdir(directory)).sort()).toEqual(['agentkeep.json', 'data.mdb', 'lock.mdb']);
    expect((await readdir(join(parent, 'copy'))).sort()).toEqual(['agentkeep.json', 'data.mdb']);
  });

  test('do not affect other files in the directory or its mode', async () => {
    await mkdir(directory);
    await writeFile(join(directory, 'signing-key.pem'), 'kept');
    await chmod(directory, 0o750);
    await makeStore();
    expect(await modeOf(directory)).toBe('750');
    expect(await readFile(join(directory, 'signing-key.pem'), 'utf8')).toBe('kept');
  });

  test('may be in a directory whose name has an extension', async () => {
    directory = join(parent, 'store.v1');
    await makeStore();
    expect(await outcome()).toBe(7);
  });
});

describe('an existing store', () => {
  test('has a manifest that describes it', async () => {
    await makeStore();
    expect(JSON.parse(await readFile(manifest(), 'utf8'))).toEqual({
      format: 'agentkeep-store',
      format_version: 1,
      stored_version: 1,
      durability: 'strict',
      store_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      initialised: true,
    });
  });

  test('is opened only with the durability that it was created with', async () => {
    await makeStore({ durability: 'relaxed' });
    expect(await outcome()).toBe('store_incompatible');
    expect(await outcome({ durability: 'relaxed' })).toBe(7);
  });

  test.each([
    ['of a later format', { format_version: 2 }],
    // OPR-67
    ['of a later stored version', { stored_version: 2 }],
    ['of something else', { format: 'other' }],
    ['without an identity', { store_id: '' }],
    ['with an unknown durability', { durability: 'none' }],
    ['with an unknown state', { initialised: 'perhaps' }],
    ['of another store', { store_id: 'other' }],
  ])('is refused with a manifest %s', async (_, change) => {
    await makeStore();
    await editManifest(change);
    expect(await outcome()).toBe('store_incompatible');
  });

  test('is refused with a manifest that is not a JSON object', async () => {
    await makeStore();
    for (const text of ['', '{', 'null', '7']) {
      await writeFile(manifest(), text);
      expect(await outcome()).toBe('store_incompatible');
    }
  });

  test('is refused without its manifest, and left unchanged', async () => {
    await makeStore();
    const before = await readFile(data());
    await rm(manifest());
    expect(await outcome()).toBe('store_incompatible');
    expect(await readFile(data())).toEqual(before);
    expect(await readdir(directory)).not.toContain('agentkeep.json');
  });

  test('can be copied and moved while it is closed', async () => {
    await makeStore();
    await cp(directory, join(parent, 'copy'), { recursive: true });
    await rename(directory, join(parent, 'moved'));
    for (const name of ['copy', 'moved']) {
      directory = join(parent, name);
      expect(await outcome()).toBe(7);
    }
  });
});

describe('a data file', () => {
  test('that is missing is refused instead of created anew', async () => {
    await makeStore();
    await rm(data());
    expect(await outcome()).toBe('store_incompatible');
  });

  test('of another store is refused', async () => {
    await makeStore();
    const mine = directory;
    directory = join(parent, 'other');
    await makeStore();
    await cp(data(), join(mine, 'data.mdb'));
    directory = mine;
    expect(await outcome()).toBe('store_incompatible');
  });

  test.each([
    ['empty', (_: Buffer) => Buffer.alloc(0)],
    ['a single byte', (_: Buffer) => Buffer.alloc(1)],
    ['zeroes', (good: Buffer) => Buffer.alloc(good.length)],
    ['text', (good: Buffer) => Buffer.alloc(good.length, 'not a database ')],
    ['without a magic number', (good: Buffer) => overwritten(good, 24)],
    ['of another version', (good: Buffer) => overwritten(good, 28)],
    ['with an invalid page size', (good: Buffer) => overwritten(good, 48)],
    ['without its second header', (good: Buffer) => overwritten(good, 4096 + 24)],
    ['cut in its first header', (good: Buffer) => good.subarray(0, 100)],
    ['cut in its second header', (good: Buffer) => good.subarray(0, 4096 + 100)],
  ])('that is %s is refused', async (_, spoil) => {
    await makeStore();
    await writeFile(data(), spoil(await readFile(data())));
    expect(await outcome()).toBe('store_incompatible');
  });

  test('that is truncated is refused, unless no page in use is lost', async () => {
    const keys = Array.from({ length: 300 }, (_, index) => Uint8Array.from([2, index >> 8, index]));
    const sizeAt = (index: number) => (index % 50 === 0 ? 20_000 : 500);
    const store = await openStore();
    for (const [index, each] of keys.entries()) {
      await store.transact((tx) => tx.put(each, new Uint8Array(sizeAt(index))));
    }
    await store.close();
    let refused = 0;
    for (let { size } = await stat(data()); size > 0; size -= 4_096) {
      await truncate(data(), size);
      try {
        const whole = await openStore();
        const sizes = await whole.read((tx) => keys.map((each) => tx.get(each)?.length));
        expect(sizes).toEqual(keys.map((_, index) => sizeAt(index)));
        await whole.close();
        expect(refused).toBe(0);
      } catch (error) {
        expect(error).toMatchObject({ code: 'store_incompatible' });
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  test('that lacks only free pages at its end is accepted', async () => {
    const store = await openStore();
    const grow = (bytes: number) =>
      store.transact((tx) => tx.put(Uint8Array.from([2]), new Uint8Array(bytes)));
    await store.transact((tx) => tx.put(key, value));
    await grow(400_000);
    await grow(1);
    await grow(2);
    await store.close();
    // The last pages held the large value and are free now, so an intact file may lack them.
    const { size } = await stat(data());
    await truncate(data(), size - 8 * 4_096);
    expect(await outcome()).toBe(7);
  });

  test('that is short and has an invalid page in its tree is refused', async () => {
    await makeStore();
    const file = await open(data(), 'r+');
    const { size } = await file.stat();
    await file.write(Buffer.alloc(size - 3 * 4_096, 0xff), 0, size - 3 * 4_096, 2 * 4_096);
    await file.truncate(size - 4_096);
    await file.close();
    expect(await outcome()).toBe('store_incompatible');
  });
});

describe('the first opening', () => {
  test('can be interrupted after any step and repeated', async () => {
    await makeStore();
    const made = await readFile(data());
    await editManifest({ initialised: false });
    const started = await readFile(manifest());
    const states: Record<string, Buffer>[] = [
      {},
      { '.unfinished-1234': Buffer.from('{') },
      { 'agentkeep.json': started },
      { 'agentkeep.json': started, '.unfinished-x/data.mdb': Buffer.alloc(0) },
      { 'agentkeep.json': started, '.unfinished-x/data.mdb': made.subarray(0, 5_000) },
      { 'agentkeep.json': started, 'data.mdb': made, '.unfinished-x/data.mdb': made },
      { 'agentkeep.json': started, 'data.mdb': made },
    ];
    for (const [index, files] of states.entries()) {
      directory = join(parent, `state-${index}`);
      await mkdir(join(directory, '.unfinished-x'), { recursive: true });
      for (const [name, bytes] of Object.entries(files)) {
        await writeFile(join(directory, name), bytes);
      }
      await makeStore();
      expect(await outcome()).toBe(7);
      expect((await readdir(directory)).sort()).toEqual(['agentkeep.json', 'data.mdb', 'lock.mdb']);
    }
  });

  test('refuses a foreign data file', async () => {
    await makeStore();
    const foreign = await readFile(data());
    directory = join(parent, 'started');
    await makeStore();
    await editManifest({ initialised: false });
    await writeFile(data(), foreign);
    expect(await outcome()).toBe('store_incompatible');
  });
});

describe('one owner', () => {
  test('excludes a second opening by this process, by any path', async () => {
    const store = await openStore();
    expect(await outcome()).toBe('store_in_use');
    await symlink(directory, join(parent, 'alias'));
    expect(await outcome({ directory: join(parent, 'alias') })).toBe('store_in_use');
    await store.transact((tx) => tx.put(key, value));
    await store.close();
    expect(await outcome()).toBe(7);
  });

  test('is the result of several concurrent openings', async () => {
    const openings = await Promise.allSettled(Array.from({ length: 5 }, () => openStore()));
    const stores = openings.filter((opening) => opening.status === 'fulfilled');
    expect(stores).toHaveLength(1);
    for (const opening of openings) {
      if (opening.status === 'rejected')
        expect(opening.reason).toMatchObject({ code: 'store_in_use' });
      else await opening.value.close();
    }
    expect(await outcome()).toBe(undefined);
  });

  test('is released when an opening fails', async () => {
    await makeStore();
    expect(await outcome({ durability: 'relaxed' })).toBe('store_incompatible');
    expect(await outcome()).toBe(7);
  });
});

describe('an open store', () => {
  test('refuses writes below its reserve and continues to read', async () => {
    await makeStore();
    const store = await openStore({ reserveBytes: 2 ** 60 });
    await expect(store.transact((tx) => tx.put(key, key))).rejects.toMatchObject({
      code: 'store_full',
    });
    await expect(store.backup(join(parent, 'copy'))).rejects.toMatchObject({ code: 'store_full' });
    expect(await store.read((tx) => tx.get(key)?.[0])).toBe(7);
    await store.close();
  });

  test('fails a backup with store_unavailable when it cannot write the copy', async () => {
    await makeStore();
    const store = await openStore();
    await writeFile(join(parent, 'file'), 'in the way');
    const blocked = store.backup(join(parent, 'file', 'copy'));
    await expect(blocked).rejects.toMatchObject({ code: 'store_unavailable' });
    await store.close();
  });

  test('grows beyond its initial address space', async () => {
    const store = await openStore({ mapSizeBytes: 2 ** 20 });
    const before = (await store.stats()).mapSizeBytes;
    const bytes = new Uint8Array(2 ** 19);
    for (let index = 0; index < 8; index += 1) {
      await store.transact((tx) => tx.put(Uint8Array.from([2, index]), bytes));
    }
    const { entries, sizeBytes, mapSizeBytes } = await store.stats();
    expect(before).toBeLessThan(2 ** 22);
    expect(entries).toBe(8);
    expect(sizeBytes).toBeGreaterThan(2 ** 22);
    expect(mapSizeBytes).toBeGreaterThanOrEqual(sizeBytes);
    await store.close();
  });

  test('finishes a running backup before it closes', async () => {
    await makeStore();
    const store = await openStore();
    const backup = store.backup(join(parent, 'copy'));
    await store.close();
    await backup;
    expect(await outcome({ directory: join(parent, 'copy') })).toBe(7);
  });
});

/** Returns a copy with inverted bytes at an offset. */
function overwritten(good: Buffer, offset: number): Buffer {
  const spoiled = Buffer.from(good);
  for (let index = offset; index < offset + 4; index += 1) spoiled[index]! ^= 0xff;
  return spoiled;
}

test('PLT-18 knows whether its data file is still where it was opened', async () => {
  const store = await openStore();
  const file = dataFileOf(directory);
  expect(await store.isInPlace?.()).toBe(true);
  await rename(file, `${file}.away`);
  expect(await store.isInPlace?.()).toBe(false);
  await copyFile(`${file}.away`, file);
  expect(await store.isInPlace?.()).toBe(false);
  await rm(file);
  await rename(`${file}.away`, file);
  expect(await store.isInPlace?.()).toBe(true);
  await store.close();
});
