/** A small run of the PostgreSQL benchmark. */
import { expect, test } from 'vitest';
import { postgresBenchmarks } from './postgres.js';

test('two servers on PostgreSQL, beside bare SQL and LMDB', async () => {
  const names: string[] = [];
  const small = { perCaller: 3, leastCalls: 3, warmUp: 4 };
  const load = { rounds: 1, callers: [1, 4], scopes: [1, 3], ...small };
  for await (const { name, figures } of postgresBenchmarks(load)) {
    names.push(name);
    for (const rate of Object.values(figures)) expect(rate).toBeGreaterThan(0);
  }
  expect(names).toEqual([
    'postgres commands, 1 callers, one scope',
    'postgres reads, 1 callers, one scope',
    'postgres commands, 4 callers, one scope',
    'postgres reads, 4 callers, one scope',
    'postgres commands, 1 callers, 3 scopes',
    'postgres reads, 1 callers, 3 scopes',
    'postgres commands, 4 callers, 3 scopes',
    'postgres reads, 4 callers, 3 scopes',
  ]);
});
