/** The conformance suite on the PostgreSQL store, each test in new tables. */
import type { Store } from '@agentkeep/core';
import { storeConformance } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import { postgresStore, type PostgresStoreOptions } from '../src/index.js';
import { backupsIn } from './backups.js';
import { newTables } from './fixture.js';

/** Declares its tests for one way of locking. */
export function conformanceWith(locks: 'advisory' | 'rows'): void {
  const tablesOf = new Map<Store, PostgresStoreOptions>();
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
        if (options === undefined) throw new Error('The store was not opened by this test.');
        return Promise.resolve(postgresStore(options));
      },
      backups: backupsIn('agentkeep-postgres-backup-'),
    },
  );
}
