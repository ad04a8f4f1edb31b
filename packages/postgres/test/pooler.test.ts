/**
 * Stores behind PgBouncer in transaction mode, which runs each transaction on another of a few
 * connections.
 */
import type { Store } from '@agentkeep/core';
import { storeConformance } from '@agentkeep/core/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectHistories } from '@agentkeep/testkit/store-histories';
import { postgresStore, type PostgresStoreOptions } from '../src/index.js';
import { backupsIn } from './backups.js';
import { CuttingProxy } from './cutting-proxy.js';
import { newTables, onDatabase } from './fixture.js';
import { contradictions, withUnanswered } from './list-history.js';
import { readLists, runListLoad } from './list-load.js';
import { append, readList } from './one-list.js';
import { PgBouncer, POOL_SIZE } from '@agentkeep/testkit/pg-bouncer';
import { randomOf } from './random.js';

let pooler: PgBouncer;

beforeAll(async () => {
  pooler = await PgBouncer.before(newTables().url);
});

afterAll(() => pooler[Symbol.asyncDispose]());

/** Returns options that open new tables behind a pooler. */
function pooledTables(
  options: Partial<PostgresStoreOptions>,
  { url } = pooler,
): PostgresStoreOptions {
  return newTables({ url, pooler: true, ...options });
}

/** Opens stores on the same tables, and closes them at the end of the scope. */
function storesOn(options: PostgresStoreOptions, count: number): Stores {
  const stores = Array.from({ length: count }, () => postgresStore(options));
  return Object.assign(stores, {
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close();
    },
  });
}

type Stores = Store[] & AsyncDisposable;

test('the pooler gives one client several connections in turn', async () => {
  const clients = Array.from({ length: POOL_SIZE }, () => new pg.Client(pooler.url));
  const backendOf = async (client: pg.Client | undefined): Promise<number | undefined> => {
    const answer = await client?.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return answer?.rows[0]?.pid;
  };
  for (const client of clients) await client.connect();
  // Concurrent transactions make it open all of its connections.
  for (const client of clients) await client.query('BEGIN');
  const all = new Set(await Promise.all(clients.map(backendOf)));
  expect(all.size).toBe(POOL_SIZE);
  for (const client of clients) await client.query('COMMIT');
  const seen = new Set<number | undefined>();
  for (let round = 0; round < POOL_SIZE; round += 1) seen.add(await backendOf(clients[0]));
  for (const client of clients) await client.end();
  expect(seen).toEqual(all);
});

for (const locks of ['advisory', 'rows'] as const) {
  const tablesOf = new Map<Store, PostgresStoreOptions>();
  const open = (options: PostgresStoreOptions): Promise<Store> => {
    const store = postgresStore(options);
    tablesOf.set(store, options);
    return Promise.resolve(store);
  };
  storeConformance(
    { describe, test, expect },
    {
      name: `PostgreSQL with ${locks} locks behind PgBouncer`,
      open: () => open(pooledTables({ locks })),
      reopen: (store) => open(tablesOf.get(store) ?? pooledTables({ locks })),
      backups: backupsIn('agentkeep-pooler-backup-'),
    },
  );
}

describe.each(['advisory', 'rows'] as const)('with %s locks behind PgBouncer', (locks) => {
  test('random histories end as on a map', async () => {
    const newData = () => {
      const options = pooledTables({ locks });
      return Promise.resolve(() => Promise.resolve(postgresStore(options)));
    };
    await expectHistories({ newData, keepsOrder: false, reopens: true, runs: 10 });
  });

  test('two stores agree on one order of random transactions', async () => {
    const random = randomOf(inject('seed'));
    const options = pooledTables({ locks });
    await using stores = storesOn(options, 2);
    let isOver = false;
    const backends = mostBackendsUntil(() => isOver, options.table ?? '');
    const load = { stores, transactions: 600, callers: 24, random };
    const { history, failures } = await runListLoad(load);
    isOver = true;
    expect(failures).toEqual([]);
    expect(await backends).toBeLessThanOrEqual(POOL_SIZE);
    expect(contradictions(history, await readLists(stores[0]!))).toEqual([]);
  });

  test.each(['request', 'answer'] as const)(
    'a connection that is cut behind the pooler in the %s of a commit loses and duplicates nothing',
    async (cut) => {
      const target = new URL(newTables().url);
      await using proxy = await CuttingProxy.before(Number(target.port));
      target.port = String(proxy.port);
      await using cutPooler = await PgBouncer.before(target.href);
      await using stores = storesOn(pooledTables({ locks }, cutPooler), 1);
      const ids = Array.from({ length: 10 }, (_, index) => `c${String(index)}`);
      await append(stores[0]!, 'c');
      for (const id of ids) {
        proxy.cutNext(cut);
        await append(stores[0]!, id);
      }
      expect(await readList(stores[0]!)).toEqual(['c', ...ids]);
      expect(proxy.cuts).toBeGreaterThanOrEqual(ids.length);
    },
  );

  test('a pooler that is killed under load loses and duplicates nothing', async () => {
    await using own = await PgBouncer.before(newTables().url);
    await using stores = storesOn(pooledTables({ locks }, own), 2);
    const random = randomOf(inject('seed'));
    const history = [];
    for (let kill = 0; kill < 3; kill += 1) {
      const name = `k${String(kill)}`;
      const load = runListLoad({ stores, transactions: 150, callers: 16, random, name });
      await append(stores[0]!, name);
      await own.kill();
      const failure = await readList(stores[0]!).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'store_unavailable', retryable: true });
      await own.up();
      history.push(...(await load).history);
    }
    expect(await readList(stores[1]!)).toEqual(['k0', 'k1', 'k2']);
    const lists = await readLists(stores[1]!);
    expect(history.length).toBeGreaterThan(0);
    expect(contradictions(withUnanswered(history, lists), lists)).toEqual([]);
  });
});

/** Returns the most connections seen at a time that last used a table. */
async function mostBackendsUntil(isOver: () => boolean, table: string): Promise<number> {
  let most = 0;
  while (!isOver()) {
    // An autovacuum worker names the table in its query too.
    const rows = await onDatabase(
      `SELECT 1 FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND query LIKE '%${table}%'
          AND pid <> pg_backend_pid()`,
    );
    most = Math.max(most, rows.length);
  }
  return most;
}
