/**
 * LMDB databases for tests, for AGENTKEEP_TEST_STORE=lmdb.
 */
import { AgentkeepError, openLmdbStore, type Store } from '@agentkeep/core';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from './test-database.js';

/** Makes a database that is open once in this process, however many openings share it. */
export async function newDatabase(): Promise<TestDatabase> {
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

/** One of several openings of a store. Closing it leaves the others open. */
function opening(store: Store, close: () => Promise<void>): Store {
  let isClosed = false;
  const assertOpen = (): void => {
    if (isClosed) throw new AgentkeepError('store_closed');
  };
  return {
    isShared: store.isShared,
    read: async (body) => (assertOpen(), store.read(body)),
    transact: async (body) => (assertOpen(), store.transact(body)),
    hold: async () => (assertOpen(), store.hold()),
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
