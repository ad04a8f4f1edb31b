/** Small runs of the benchmarks on PostgreSQL. */
import { expect, test } from 'vitest';
import { chainBenchmarks } from './chain.js';
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

test('the audit chain of a tenant, beside the writes of two servers', async () => {
  const names: string[] = [];
  const records = { commands: 4, batches: 512 };
  const load = { rounds: 1, delaysMs: [0, 2], servers: [2], callers: 2, records };
  for await (const { name, figures } of chainBenchmarks(load)) {
    names.push(name);
    for (const rate of Object.values(figures)) expect(rate).toBeGreaterThan(0);
  }
  expect(names).toEqual([
    'audit chain, commands, 0 ms away, 2 servers',
    'audit chain, commands, 2 ms away, 2 servers',
    'audit chain, batches, 0 ms away, 2 servers',
    'audit chain, batches, 2 ms away, 2 servers',
  ]);
});
