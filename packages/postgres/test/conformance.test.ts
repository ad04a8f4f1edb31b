/**
 * The store on PostgreSQL against the suite of the port, with both ways of locking.
 * @module
 */
import { openLmdbStore, type Store } from '@agentkeep/core';
import { storeConformance } from '@agentkeep/core/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { postgresStore, type PostgresStoreOptions } from '../src/index.js';
import { newTables } from './fixture.js';

const parents: string[] = [];
const tablesOf = new Map<Store, PostgresStoreOptions>();

afterAll(async () => {
  for (const parent of parents) await rm(parent, { recursive: true, force: true });
});

for (const locks of ['advisory', 'rows'] as const) {
  storeConformance(
    { describe, test, expect },
    {
      name: `PostgreSQL with ${locks} locks`,
      open: () => {
        const options = newTables({ locks });
        const store = postgresStore(options);
        tablesOf.set(store, options);
        return Promise.resolve(store);
      },
      reopen: (store) => {
        const options = tablesOf.get(store);
        if (options === undefined) throw new Error('A store that was opened here.');
        return Promise.resolve(postgresStore(options));
      },
      backups: {
        newDirectory: async () => {
          const parent = await mkdtemp(join(tmpdir(), 'agentkeep-postgres-backup-'));
          parents.push(parent);
          return join(parent, 'copy');
        },
        openCopy: (directory) => openLmdbStore({ directory }),
      },
    },
  );
}
