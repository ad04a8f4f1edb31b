/**
 * Answered writes are stored exactly once, whatever breaks in between.
 */
import { AgentkeepError } from '@agentkeep/core/store';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { CuttingProxy } from './cutting-proxy.js';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { newTables, onDatabase } from './fixture.js';
import { contradictions, withUnanswered } from './list-history.js';
import { readLists, runListLoad } from './list-load.js';
import { append, readList } from './one-list.js';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';
import { randomOf } from './random.js';

describe.each(['advisory', 'rows'] as const)('with %s locks', (locks) => {
  test.each(['request', 'answer'] as const)(
    'a connection that is cut in the %s of a commit loses and duplicates nothing',
    async (cut) => {
      const options = newTables({ locks });
      const target = new URL(options.url);
      await using proxy = await CuttingProxy.before(Number(target.port));
      target.port = String(proxy.port);
      const store = postgresStore({ ...options, url: target.href });
      const ids = Array.from({ length: 30 }, (_, index) => `c${String(index)}`);
      await append(store, 'c');
      for (const id of ids) {
        proxy.cutNext(cut);
        await append(store, id);
      }
      expect(await readList(store)).toEqual(['c', ...ids]);
      expect(proxy.cuts).toBeGreaterThanOrEqual(ids.length);
      await store.close();
    },
  );

  test('backends that are terminated under load lose and duplicate nothing', async () => {
    const random = randomOf(inject('seed'));
    const options = newTables({ locks });
    const stores = [postgresStore(options), postgresStore(options)];
    let isOver = false;
    const terminating = terminateUntil(() => isOver, options.table ?? '');
    const load = { stores, transactions: 300, callers: 16, random };
    const { history, failures } = await runListLoad(load);
    isOver = true;
    expect(await terminating).toBeGreaterThan(0);
    const lists = await readLists(stores[0]!);
    // Interrupted reads have no effect; every other transaction is answered.
    for (const failure of failures) expect(failure).toBeInstanceOf(AgentkeepError);
    expect(contradictions(withUnanswered(history, lists), lists)).toEqual([]);
    for (const store of stores) await store.close();
  });
});

/** Repeatedly terminates the connections that last used a table. Returns how many. */
async function terminateUntil(isOver: () => boolean, table: string): Promise<number> {
  let terminated = 0;
  while (!isOver()) {
    const rows = await onDatabase(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE query LIKE '%${table}%' AND pid <> pg_backend_pid()`,
      'SELECT pg_sleep(0.2)',
    ).catch(() => []);
    terminated += rows.length;
  }
  return terminated;
}

describe('a server that is killed', () => {
  const bin = findPostgres();
  let server: PostgresServer;

  beforeAll(async () => {
    if (bin === undefined) throw new Error('PostgreSQL is not installed.');
    server = await PostgresServer.start(bin);
  });

  afterAll(() => server.stop());

  test('is unreachable meanwhile, and loses and duplicates nothing', async () => {
    const options = newTables({ url: server.url });
    const stores = [postgresStore(options), postgresStore(options)];
    const random = randomOf(inject('seed'));
    const history = [];
    for (let kill = 0; kill < 3; kill += 1) {
      const load = runListLoad({
        stores,
        transactions: 150,
        callers: 16,
        random,
        name: `k${kill}-`,
      });
      await append(stores[0]!, `k${String(kill)}`);
      await server.kill();
      const failure = await readList(stores[0]!).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'store_unavailable', retryable: true });
      await server.up();
      history.push(...(await load).history);
    }
    expect(await readList(stores[1]!)).toEqual(['k0', 'k1', 'k2']);
    const lists = await readLists(stores[1]!);
    expect(history.length).toBeGreaterThan(0);
    expect(contradictions(withUnanswered(history, lists), lists)).toEqual([]);
    for (const store of stores) await store.close();
  });
});
