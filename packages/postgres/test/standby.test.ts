/**
 * A copy that follows the primary may lag behind, so a store that is led to it answers nothing, and
 * asks again until it is led to the primary.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { eventually } from '@agentkeep/testkit/eventually';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';
import { postgresStore } from '../src/index.js';
import { CuttingProxy } from './cutting-proxy.js';
import { newTables } from './fixture.js';
import { append, readList } from './one-list.js';

const bin = findPostgres();
let primary: PostgresServer;
let standby: PostgresServer;

beforeAll(async () => {
  if (bin === undefined) throw new Error('PostgreSQL is not installed.');
  primary = await PostgresServer.start(bin);
  standby = await PostgresServer.standbyOf(primary);
});

afterAll(async () => {
  await standby.stop();
  await primary.stop();
});

describe.each(['advisory', 'rows'] as const)('with %s locks', (locks) => {
  test('a store that is led to a copy refuses, and goes on at the primary', async () => {
    await using proxy = await CuttingProxy.before(primary.port);
    const target = new URL(primary.url);
    target.port = String(proxy.port);
    const options = newTables({ url: target.href, locks });
    const store = postgresStore(options);
    await append(store, 'a');
    await eventually(async () =>
      expect(await entriesAt(standby, options.table)).toBeGreaterThan(0),
    );
    proxy.leadTo(standby.port);
    const refusal = { code: 'store_unavailable', retryable: true };
    await expect(readList(store)).rejects.toMatchObject(refusal);
    const walk = store.read((tx) => [...tx.range({ from: KEY, to: END })].length);
    await expect(walk).rejects.toMatchObject(refusal);
    const written = append(store, 'b');
    await expect(readList(store)).rejects.toMatchObject(refusal);
    // No connection to the copy is kept, so the store reaches the primary without being cut off.
    proxy.leadNextTo(primary.port);
    await written;
    expect(await readList(store)).toEqual(['a', 'b']);
    await store.close();
  });
});

async function entriesAt({ url }: PostgresServer, table = ''): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

const KEY = Buffer.from('c\0\x05');
const END = Buffer.from('c\0\x06');
