/**
 * Random histories end on PostgreSQL as on a plain map, with both ways of locking.
 * @module
 */
import { expectHistories } from '@agentkeep/testkit/store-histories';
import { describe, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newTables } from './fixture.js';

describe('random histories', () => {
  test.each(['advisory', 'rows'] as const)('end with %s locks as on a map', async (locks) => {
    const newData = () => {
      const options = newTables({ locks });
      return Promise.resolve(() => Promise.resolve(postgresStore(options)));
    };
    await expectHistories({ newData, keepsOrder: false, reopens: true, runs: 25 });
  });
});
