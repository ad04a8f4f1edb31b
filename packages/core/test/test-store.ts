/**
 * The store that tests run on when it is all the same to them. The variable AGENTKEEP_TEST_STORE
 * chooses it: `memory` (the default), `lmdb`, `speculative`, or a module with a
 * {@link TestStoreModule}, by its path from the root of the workspace.
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { inMemoryStore, sharedMemory } from '../src/storage/in-memory-store/in-memory-store.js';
import { AgentkeepError } from '../src/contract/errors/agentkeep-error.js';
import { openLmdbStore } from '../src/storage/lmdb-store/open-lmdb-store.js';
import { speculative } from '../src/storage/store-testing/speculative-store.js';
import type { Store } from '../src/storage/store/store.js';

/** Data that no other test sees. */
export interface TestDatabase {
  /** Opens it once more. */
  open(): Promise<Store>;
  /** Removes it, after everything that was opened is closed. */
  drop(): Promise<void>;
}

/** What a module says that AGENTKEEP_TEST_STORE names. */
export interface TestStoreModule {
  newDatabase(): Promise<TestDatabase>;
}

/** Which store tests run on. */
export const testStoreKind = process.env['AGENTKEEP_TEST_STORE'] ?? 'memory';

const databases: Promise<TestDatabase>[] = [];

afterAll(async () => {
  for (const database of databases) await (await database).drop();
});

/** An empty store of the chosen kind. It is opened at its first use. */
export function testStore(): Store {
  switch (testStoreKind) {
    case 'memory':
      return inMemoryStore();
    case 'speculative':
      return speculative(inMemoryStore());
    default:
      return opensLate(newDatabase(), testStoreKind !== 'lmdb');
  }
}

/** An empty store that several keeps may open, each for itself, as several servers do. */
export function sharedTestStore(): { open(): Store } {
  switch (testStoreKind) {
    case 'memory':
      return sharedMemory();
    case 'speculative': {
      const memory = sharedMemory();
      return { open: () => speculative(memory.open()) };
    }
    default: {
      const database = newDatabase();
      return { open: () => opensLate(database, true) };
    }
  }
}

function newDatabase(): Promise<TestDatabase> {
  const made = testStoreKind === 'lmdb' ? lmdbDatabase() : fromModule();
  databases.push(made);
  return made;
}

async function fromModule(): Promise<TestDatabase> {
  const { href } = pathToFileURL(resolve(import.meta.dirname, '../../..', testStoreKind));
  const module = (await import(/* @vite-ignore */ href)) as TestStoreModule;
  return module.newDatabase();
}

/** One process has it open, once, for all who open it here. */
async function lmdbDatabase(): Promise<TestDatabase> {
  const parent = await mkdtemp(join(tmpdir(), 'agentkeep-test-store-'));
  const directory = join(parent, 'store');
  let openings = 0;
  let opened: Promise<Store> | undefined;
  const close = async (): Promise<void> => {
    const last = opened;
    opened = undefined;
    await (await last)?.close();
  };
  return {
    open: async () => {
      openings += 1;
      opened ??= openLmdbStore({ directory, durability: 'relaxed', reserveBytes: 0 });
      return opening(await opened, async () => {
        openings -= 1;
        if (openings === 0) await close();
      });
    },
    drop: async () => {
      await close();
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** One of several openings of a store; closing it leaves the others alone. */
function opening(store: Store, close: () => Promise<void>): Store {
  let isClosed = false;
  const assertOpen = (): void => {
    if (isClosed) throw new AgentkeepError('store_closed');
  };
  return {
    isShared: store.isShared,
    read: async (body) => (assertOpen(), store.read(body)),
    transact: async (body) => (assertOpen(), store.transact(body)),
    backup: async (directory) => (assertOpen(), store.backup(directory)),
    stats: async () => (assertOpen(), store.stats()),
    waiting: () => store.waiting(),
    scan: async (visit) => (assertOpen(), store.scan(visit)),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await close();
    },
  };
}

/** A store that can be had at once, although it takes a while to open. */
function opensLate(database: Promise<TestDatabase>, isShared: boolean): Store {
  const opened = database.then((found) => found.open());
  // Whoever uses it hears of a failure.
  opened.catch(() => undefined);
  return {
    isShared,
    read: async (body) => (await opened).read(body),
    transact: async (body) => (await opened).transact(body),
    backup: async (directory) => (await opened).backup(directory),
    stats: async () => (await opened).stats(),
    waiting: async () => (await opened).waiting(),
    scan: async (visit) => (await opened).scan(visit),
    close: async () => (await opened).close(),
  };
}
