/** Commits aside on a real LMDB store: what reads and later bodies see. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReadTx, Store } from '../store/store.js';
import { createEnvironment, openEnvironment } from './environment.js';
import { ASIDE_BODIES_MIN } from './group-commit-policy.js';
import { openLmdbStore } from './open-lmdb-store.js';

const CALLERS = 3 * ASIDE_BODIES_MIN;

let parent: string;
let directory: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'agentkeep-aside-'));
  directory = join(parent, 'store');
});

afterEach(() => rm(parent, { recursive: true, force: true }));

const openStore = (): Promise<Store> => openLmdbStore({ directory, reserveBytes: 0 });

const counterKey = Buffer.from('counter');
const keyOf = (number: number): Uint8Array =>
  Buffer.from(`entry ${String(number).padStart(6, '0')}`);

function counted(tx: ReadTx): number {
  const value = tx.get(counterKey);
  return value === undefined ? 0 : Buffer.from(value).readUInt32BE();
}

function entriesIn(tx: ReadTx): number {
  return [...tx.range({ from: Buffer.from('entry '), to: Buffer.from('entry~') })].length;
}

/** Adds an entry under the next number. */
function add(store: Store): Promise<number> {
  return store.transact((tx) => {
    const number = counted(tx) + 1;
    const value = Buffer.alloc(4);
    value.writeUInt32BE(number);
    tx.put(counterKey, value);
    tx.put(keyOf(number), Buffer.alloc(700, number));
    return number;
  });
}

/** Lets callers add entries, each one after the other. */
async function addMany(store: Store, callers: number, each: number): Promise<number[]> {
  const numbers: number[] = [];
  const caller = async (): Promise<void> => {
    for (let left = each; left > 0; left -= 1) numbers.push(await add(store));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return numbers;
}

test('each body sees those before it, and reads see whole commits that observers know', async () => {
  await using store = {
    value: await openStore(),
    [Symbol.asyncDispose]: () => store.value.close(),
  };
  let observed = 0;
  store.value.observe?.({
    committed: (writes) => {
      for (const key of writes.keys()) if (key.startsWith('entry ')) observed += 1;
    },
    failed: () => undefined,
  });
  const adding = { isOver: false };
  let readsBeforeAnswers = 0;
  const reading = (async () => {
    while (!adding.isOver) {
      const seen = await store.value.read((tx) => [counted(tx), entriesIn(tx)]);
      expect(seen).toEqual([observed, observed]);
      readsBeforeAnswers += 1;
      await setImmediate();
    }
  })();
  const numbers = await addMany(store.value, CALLERS, 20);
  adding.isOver = true;
  await reading;
  expect(numbers.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 20 * CALLERS }, (_, index) => index + 1),
  );
  expect(observed).toBe(20 * CALLERS);
  expect(readsBeforeAnswers).toBeGreaterThan(20);
});

test('a caller reads its own write at once', async () => {
  const store = await openStore();
  const caller = async (): Promise<void> => {
    for (let left = 10; left > 0; left -= 1) {
      const number = await add(store);
      const [newest, entry] = await store.read((tx) => [
        counted(tx),
        tx.get(keyOf(number))?.length,
      ]);
      expect(newest).toBeGreaterThanOrEqual(number);
      expect(entry).toBe(700);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  await store.close();
});

test('statistics and copies work meanwhile', async () => {
  const store = await openStore();
  const adding = addMany(store, CALLERS, 20);
  const counts: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    counts.push((await store.stats()).entries);
    await setImmediate();
  }
  await store.backup(join(parent, 'copy'));
  await adding;
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  const copy = await openLmdbStore({ directory: join(parent, 'copy'), reserveBytes: 0 });
  const [newest, entries] = await copy.read((tx) => [counted(tx), entriesIn(tx)]);
  expect(newest).toBe(entries);
  await Promise.all([store.close(), copy.close()]);
});

test('a function that throws leaves no trace, and the next write works', async () => {
  const options = { directory: parent, mapSizeBytes: 2 ** 24, isSynced: true };
  await createEnvironment(options, 'id');
  const found = await openEnvironment(options);
  const environment = found.claim()!;
  const cause = new Error('halfway');
  const failures: unknown[] = [];
  await environment.writeAside(
    (target) => {
      target.put('one', Buffer.from('1'));
      throw cause;
    },
    (failure) => failures.push(failure),
  );
  expect(failures).toEqual([{ cause }]);
  expect(environment.get(Buffer.from('one'))).toBeUndefined();
  environment.probe();
  let seen: Uint8Array | undefined;
  await environment.writeAside(
    (target) => {
      target.put('two', Buffer.from('2'));
    },
    (failure) => {
      failures.push(failure);
      seen = environment.get(Buffer.from('two'));
    },
  );
  expect(failures).toEqual([{ cause }, undefined]);
  expect(seen).toBeDefined();
  expect(environment.get(Buffer.from('one'))).toBeUndefined();
  expect(Buffer.from(environment.get(Buffer.from('two'))!).toString()).toBe('2');
  expect(environment.isAlone()).toBe(true);
  await environment.close();
});
