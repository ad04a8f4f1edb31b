/**
 * The store for tests that run on any store. The variable AGENTKEEP_TEST_STORE chooses it: `memory`
 * (the default), `lmdb`, `speculative`, or the path of a {@link TestStoreModule} from the root of
 * the workspace.
 */
import type { Store } from '@agentkeep/core';
import { sharedMemory, speculative, storeOver } from '@agentkeep/core/testing';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterFile } from './after-file.js';
import type { TestDatabase, TestStoreModule } from './test-database.js';

/** The store that tests run on. */
export const testStoreKind = process.env['AGENTKEEP_TEST_STORE'] ?? 'memory';

/** Makes an empty store of the chosen kind; its first use opens it. */
export function testStore(): Store {
  switch (testStoreKind) {
    case 'memory':
      return inMemory();
    case 'speculative':
      return speculative(inMemory());
    default: {
      const database = newDatabase();
      // It is opened once, so no other opening needs it when this one is closed.
      const drop = async (): Promise<void> => (await database).drop();
      return opensLate(database, testStoreKind !== 'lmdb', drop);
    }
  }
}

/** `inMemoryStore()` without the rest of core, which takes long to load. */
function inMemory(): Store {
  return storeOver(sharedMemory().open(), { isShared: false });
}

/** Makes an empty store that several keeps can open, as several servers do. */
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
  const made = databaseOf(testStoreKind);
  afterFile(async () => (await made).drop());
  return made;
}

async function databaseOf(kind: string): Promise<TestDatabase> {
  const module = await (kind === 'lmdb' ? import('./lmdb-database.js') : moduleAt(kind));
  return module.newDatabase();
}

function moduleAt(path: string): Promise<TestStoreModule> {
  const { href } = pathToFileURL(resolve(import.meta.dirname, '../../..', path));
  return import(/* @vite-ignore */ href) as Promise<TestStoreModule>;
}

/** Returns a store at once; its calls wait until the database is open. */
function opensLate(
  database: Promise<TestDatabase>,
  isShared: boolean,
  afterClose = () => Promise.resolve(),
): Store {
  const opened = database.then((found) => found.open());
  // The calls report a failed opening.
  opened.catch(() => undefined);
  return {
    isShared,
    read: async (body) => (await opened).read(body),
    transact: async (body) => (await opened).transact(body),
    hold: async () => (await opened).hold(),
    backup: async (directory) => (await opened).backup(directory),
    stats: async () => (await opened).stats(),
    waiting: async () => (await opened).waiting(),
    scan: async (visit) => (await opened).scan(visit),
    close: async () => {
      await (await opened).close();
      await afterClose();
    },
  };
}
