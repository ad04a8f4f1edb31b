/** Plans of statements: made once, by the index, also where the table was small at that time. */
import { keyBytes } from '@agentkeep/core/store';
import { expect, test } from 'vitest';
import { Database } from '../src/database/database.js';
import { dropOldLanes } from '../src/database/statements.js';
import { postgresStore } from '../src/index.js';
import { settingsOf } from '../src/settings/settings.js';
import { newTables, onDatabase } from './fixture.js';

test('a look-up that was planned on one row uses the index when there are many', async () => {
  const options = { ...newTables(), maxConnections: 3 };
  const { table } = options;
  const store = postgresStore(options);
  const key = (number: number) => keyBytes(`a\0\x05${String(number)}`);
  await store.transact((tx) => tx.put(key(0), Uint8Array.of(1)));
  await onDatabase(`ANALYZE ${String(table)}`);
  await store.read((tx) => tx.get(key(0)));
  for (let batch = 0; batch < 10; batch += 1) {
    await store.transact((tx) => {
      for (let at = 0; at < 200; at += 1) tx.put(key(batch * 200 + at), Uint8Array.of(2));
    });
  }
  for (let number = 0; number < 20; number += 1) await store.read((tx) => tx.get(key(number * 90)));
  await store.close();
  // A look-up that scans the table reads 2,000 rows.
  const sql = `SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = '${String(table)}'`;
  expect(Number((await onDatabase(sql))[0]?.['seq_tup_read'])).toBeLessThan(100);
});

test('a connection plans each statement once, and one behind a pooler as it likes', async () => {
  const show = async (pooler: boolean) => {
    const database = new Database(settingsOf({ ...newTables(), pooler }));
    const { rows } = await database.run({ name: 'show', text: 'SHOW plan_cache_mode' });
    await database.close();
    return rows[0]?.[0];
  };
  expect(await show(false)).toBe('force_generic_plan');
  expect(await show(true)).toBe('auto');
});

test('no plan is compiled, also where no index helps', async () => {
  const options = newTables();
  const store = postgresStore(options);
  await store.read((tx) => tx.get(keyBytes('a')));
  await store.close();
  const settings = settingsOf(options);
  const database = new Database(settings);
  const { text } = dropOldLanes(settings.table);
  const { rows } = await database.run({ name: '', text: `EXPLAIN ANALYZE ${text}` });
  await database.close();
  const plan = rows.flat().join('\n');
  expect(plan).toContain('Execution Time');
  expect(plan).not.toContain('JIT');
});
