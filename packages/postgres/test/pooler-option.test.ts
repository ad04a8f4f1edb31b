/**
 * A store behind a pooler without the option `pooler`, and the option as a parameter of the URL.
 */
import { expect, inject, test } from 'vitest';
import { runCommand } from '@agentkeep/testkit/agentkeep-process';
import { postgresStore, type PostgresStoreOptions } from '../src/index.js';
import { newDatabaseUrl, newTables } from './fixture.js';
import { contradictions, withUnanswered } from './list-history.js';
import { readLists, runListLoad } from './list-load.js';
import { PgBouncer } from '@agentkeep/testkit/pg-bouncer';
import { randomOf } from './random.js';

/** A pooler that ignores the limits that a store sets when a connection starts. */
const LENIENT = { ignore_startup_parameters: 'statement_timeout,lock_timeout' };

const SAYS_SO = { code: 'store_unavailable', message: expect.stringContaining('pooler: true') };

async function loadOn(options: PostgresStoreOptions) {
  const store = postgresStore(options);
  const random = randomOf(inject('seed'));
  const outcome = await runListLoad({ stores: [store], transactions: 200, callers: 12, random });
  await store.close();
  return outcome;
}

/** Reads the lists without the pooler. */
async function listsIn({ table = '' }: PostgresStoreOptions) {
  const store = postgresStore(newTables({ table }));
  const lists = await readLists(store);
  await store.close();
  return lists;
}

test('a pooler without the option refuses, and the error says what to do', async () => {
  await using pooler = await PgBouncer.before(newTables().url);
  const store = postgresStore(newTables({ url: pooler.url }));
  await expect(store.read(() => undefined)).rejects.toMatchObject(SAYS_SO);
  await store.close();
});

test('a lenient pooler fails on named statements, and loses nothing', async () => {
  await using pooler = await PgBouncer.before(newTables().url, LENIENT);
  const options = newTables({ url: pooler.url });
  const { history, failures } = await loadOn(options);
  expect(failures.length).toBeGreaterThan(0);
  for (const failure of failures) expect(failure).toMatchObject(SAYS_SO);
  const lists = await listsIn(options);
  expect(contradictions(history, lists)).toEqual([]);
  expect(withUnanswered(history, lists)).toEqual(history);
});

test('a lenient pooler works with unnamed statements', async () => {
  await using pooler = await PgBouncer.before(newTables().url, LENIENT);
  const options = newTables({ url: pooler.url, prepare: false });
  const { history, failures } = await loadOn(options);
  expect(failures).toEqual([]);
  expect(contradictions(history, await listsIn(options))).toEqual([]);
});

/** Runs a command on a database. */
async function bootstrapIn(url: string) {
  const words = ['bootstrap-tenant', 'acme', 'ops', '--store-url', url];
  const { status, error } = await runCommand(words);
  return { status, error };
}

test('commands accept the option in the url', async () => {
  await using pooler = await PgBouncer.before(await newDatabaseUrl());
  const refused = await bootstrapIn(pooler.url);
  expect(refused).toMatchObject({ status: 1, error: expect.stringContaining('pooler=true') });
  expect(await bootstrapIn(`${pooler.url}?pooler=true`)).toEqual({ status: 0, error: '' });
});

test('commands refuse an invalid option in the url', async () => {
  const { status, error } = await bootstrapIn(`${newTables().url}?pooler=maybe`);
  expect(status).toBe(1);
  expect(error).toBe(
    'agentkeep: The option store_url cannot be used. ' +
      'The option pooler of a store on PostgreSQL must be true or false.\n',
  );
});
