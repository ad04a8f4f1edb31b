/**
 * With `locks: 'rows'`, a store works on a database that runs every transaction SERIALIZABLE and
 * aborts some of them at any statement, also at their commit.
 */
import { keyBytes, type Store } from '@agentkeep/core/store';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newDatabaseUrl, newTables } from './fixture.js';
import { contradictions } from './list-history.js';
import { readLists, runListLoad } from './list-load.js';
import { randomOf } from './random.js';
import { RewritingProxy } from './rewriting-proxy.js';

/** Of a hundred statements that write, and of a hundred commits. */
const ABORTED = 8;

let proxy: RewritingProxy;
let direct: string;
let through: string;

beforeAll(async () => {
  direct = await newDatabaseUrl();
  const { port, pathname } = new URL(direct);
  await run(`ALTER DATABASE ${pathname.slice(1)} SET default_transaction_isolation = serializable`);
  proxy = await RewritingProxy.before(Number(port));
  const url = new URL(direct);
  url.port = String(proxy.port);
  through = url.href;
});

afterAll(() => proxy[Symbol.asyncDispose]());

async function run(...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Opens stores on new tables, then lets the database abort what writes to them. */
async function storesThatAbort(count: number): Promise<Store[]> {
  const options = newTables({ url: through, locks: 'rows' });
  const { table = '' } = options;
  const stores = Array.from({ length: count }, () => postgresStore(options));
  for (const store of stores) await store.read((tx) => tx.get(keyBytes('a\0\x05')));
  const abort = `IF random() * 100 < ${String(ABORTED)} THEN
    PERFORM nextval('${table}_aborts');
    RAISE EXCEPTION 'aborted by the test' USING ERRCODE = '40001'; END IF;
    RETURN NULL;`;
  await run(
    `CREATE SEQUENCE ${table}_aborts`,
    `CREATE FUNCTION ${table}_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF current_setting('transaction_isolation') <> 'serializable' THEN
         RAISE EXCEPTION 'a transaction that is not serializable'; END IF;
       ${abort} END $$`,
    `CREATE FUNCTION ${table}_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${abort} END $$`,
    `CREATE TRIGGER aborts AFTER INSERT OR UPDATE OR DELETE ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION ${table}_write()`,
    `CREATE CONSTRAINT TRIGGER aborts AFTER INSERT OR UPDATE ON ${table}_lanes
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${table}_commit()`,
  );
  aborts = async () =>
    Number((await run(`SELECT last_value FROM ${table}_aborts`))[0]?.['last_value']);
  return stores;
}

let aborts: () => Promise<number> = () => Promise.resolve(0);

test('two stores agree on one order of random transactions, whatever is aborted', async () => {
  const random = randomOf(inject('seed'));
  const stores = await storesThatAbort(2);
  const load = { stores, transactions: 300, callers: 12, random };
  const { history, failures } = await runListLoad(load);
  expect(failures).toEqual([]);
  const lists = await readLists(stores[0]!);
  expect(contradictions(history, lists)).toEqual([]);
  expect(await aborts()).toBeGreaterThan(5);
  for (const store of stores) await store.close();
});

test('two stores lose no update of a counter, whatever is aborted', async () => {
  const stores = await storesThatAbort(2);
  const key = keyBytes('a\0\x05number');
  const befores = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      stores[index % 2]!.transact((tx) => {
        const before = tx.get(key)?.[0] ?? 0;
        tx.put(key, Uint8Array.of(before + 1));
        return before;
      }),
    ),
  );
  expect(befores.toSorted((a, b) => a - b)).toEqual(befores.map((_, index) => index));
  expect(proxy.rewritten).toBeGreaterThan(0);
  for (const store of stores) await store.close();
});

test('two stores append each entry once, whatever is aborted', async () => {
  const stores = await storesThatAbort(2);
  const prefix = keyBytes('a\0\x05log');
  const ids = Array.from({ length: 60 }, (_, index) => String(index));
  await Promise.all(
    ids.map((id, index) => stores[index % 2]!.transact((tx) => tx.append(prefix, Buffer.from(id)))),
  );
  const range = { from: prefix, to: keyBytes('a\0\x05loh') };
  const found = await stores[0]!.read((tx) =>
    Array.from(tx.range(range), ({ value }) => Buffer.from(value).toString()),
  );
  expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(ids);
  for (const store of stores) await store.close();
});
