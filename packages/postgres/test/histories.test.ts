/**
 * Random histories end with the same state on PostgreSQL and on a map, with both ways of locking.
 */
import { expectHistories } from '@agentkeep/testkit/store-histories';
import { describe, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newTables } from './fixture.js';

describe('random histories', () => {
  test.each(['advisory', 'rows'] as const)('end as on a map with %s locks', async (locks) => {
    const newData = () => {
      const options = newTables({ locks });
      return Promise.resolve(() => Promise.resolve(postgresStore(options)));
    };
    await expectHistories({ newData, keepsOrder: false, reopens: true, runs: 25 });
  });
});
