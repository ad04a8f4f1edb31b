/** The LMDB store passes the conformance suite in both durability modes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Store } from '../store/store.js';
import { storeConformance } from '../store-testing/store-conformance.js';
import { openLmdbStore } from './open-lmdb-store.js';

const temporary: string[] = [];

afterAll(async () => {
  for (const directory of temporary) await rm(directory, { recursive: true, force: true });
});

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-lmdb-'));
  temporary.push(directory);
  return join(directory, 'store');
}

for (const durability of ['strict', 'relaxed'] as const) {
  const directories = new WeakMap<Store, string>();
  const openIn = async (directory: string) => {
    const store = await openLmdbStore({ directory, durability, reserveBytes: 0 });
    directories.set(store, directory);
    return store;
  };
  storeConformance(
    { describe, test, expect },
    {
      name: `LMDB, ${durability}`,
      open: async () => openIn(await newDirectory()),
      reopen: async (store) => openIn(directories.get(store)!),
      backups: { newDirectory, openCopy: openIn },
    },
  );
}
