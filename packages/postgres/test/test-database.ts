/**
 * Databases on PostgreSQL for all other tests; AGENTKEEP_TEST_STORE can name this module.
 */
import type { TestDatabase } from '@agentkeep/testkit/test-database';
import { postgresStore } from '../src/index.js';
import { newTables, onDatabase } from './fixture.js';

/** Creates tables that any number of stores can open. */
export function newDatabase(): Promise<TestDatabase> {
  const options = newTables();
  const { table = '' } = options;
  return Promise.resolve({
    open: () => Promise.resolve(postgresStore(options)),
    drop: async () => {
      const tables = ['', '_lanes', '_locks', '_versions'].map((suffix) => `${table}${suffix}`);
      await onDatabase(
        `DROP TABLE IF EXISTS ${tables.join(', ')}`,
        `DROP FUNCTION IF EXISTS ${table}_commit_1`,
      );
    },
  });
}
