/** A store that is copied to a target passes the conformance suite. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.js';
import { openLmdbStore } from '../../storage/lmdb-store/open-lmdb-store.js';
import type { Store } from '../../storage/store/store.js';
import { storeConformance } from '../../storage/store-testing/store-conformance.js';
import { openReplicated } from './replicate.js';
import { replicationSettings } from './replication-options.js';

const temporary: string[] = [];

afterAll(async () => {
  for (const directory of temporary) await rm(directory, { recursive: true, force: true });
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-replicated-'));
  temporary.push(directory);
  return join(directory, 'store');
}

const directories = new WeakMap<Store, string>();

async function openIn(directory: string): Promise<Store> {
  const settings = replicationSettings(join(directory, '../target'));
  const ports = { clock: new ManualClock(), check: () => Promise.resolve() };
  const store = await openReplicated({ directory, reserveBytes: 0 }, settings, ports);
  directories.set(store, directory);
  return store;
}

storeConformance(
  { describe, test, expect },
  {
    name: 'LMDB, with a replication target',
    open: async () => openIn(await newDirectory()),
    reopen: (store) => openIn(directories.get(store)!),
    backups: {
      newDirectory,
      openCopy: (directory) => openLmdbStore({ directory, reserveBytes: 0 }),
    },
  },
);
