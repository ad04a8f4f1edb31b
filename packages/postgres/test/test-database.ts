/**
 * Databases on PostgreSQL for all other tests; AGENTKEEP_TEST_STORE can name this module.
 */
import type { Store } from '@agentkeep/core';
import type { TestDatabase } from '@agentkeep/testkit/test-database';
import { postgresStore } from '../src/index.js';
import { newTables, onDatabase } from './fixture.js';

/** Creates tables that any number of stores can open. */
export function newDatabase(): Promise<TestDatabase> {
  const options = newTables();
  const { table = '' } = options;
  const stores: Store[] = [];
  return Promise.resolve({
    open: () => {
      const store = postgresStore(options);
      stores.push(store);
      return Promise.resolve(store);
    },
    drop: async () => {
      // A store that a test left open would keep its connections until the process ends.
      await Promise.allSettled(stores.map((store) => store.close()));
      const tables = ['', '_lanes', '_locks', '_positions', '_versions'].map(
        (suffix) => `${table}${suffix}`,
      );
      await onDatabase(
        `DROP TABLE IF EXISTS ${tables.join(', ')}`,
        `DROP FUNCTION IF EXISTS ${table}_commit_1`,
      );
    },
  });
}
