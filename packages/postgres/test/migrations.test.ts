/**
 * Tables are upgraded under servers of the version before: those go on while the new tables work
 * with them, and are refused afterwards. The next versions are made up.
 */
import { CONTRACT_DOCUMENT_VERSION, type Store } from '@agentkeep/core';
import { afterEach, describe, expect, test } from 'vitest';
import { Database } from '../src/database/database.js';
import { migrate } from '../src/migration/migrate.js';
import { type Migration, migrationsOf } from '../src/migration/migrations.js';
import { postgresStore, type PostgresStoreOptions } from '../src/index.js';
import { settingsOf } from '../src/settings/settings.js';
import { newTables, onDatabase } from './fixture.js';

/** Adds what only servers of version 2 use. */
const expanding = (table: string): Migration => ({
  version: 2,
  worksWith: 1,
  statements: [`ALTER TABLE ${table} ADD COLUMN note text`],
});

/** Takes away what servers of version 1 need. */
const contracting = (table: string): Migration => ({
  version: 3,
  worksWith: 2,
  statements: [`ALTER TABLE ${table} RENAME COLUMN revision TO mark`],
});

const open: Store[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
});

function serverOf(options: PostgresStoreOptions): Store {
  const store = postgresStore(options);
  open.push(store);
  return store;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function put(store: Store, text: string): Promise<void> {
  await store.transact((tx) => {
    tx.put(bytes(text), bytes(text));
  });
}

async function has(store: Store, text: string): Promise<boolean> {
  return store.read((tx) => tx.get(bytes(text)) !== undefined);
}

/** Starts as servers of a later version do, which know these migrations beside all of today. */
async function upgrade(
  options: PostgresStoreOptions,
  ...later: readonly ((table: string) => Migration)[]
): Promise<void> {
  const settings = settingsOf(options);
  const database = new Database(settings);
  try {
    const next = later.map((migration) => migration(settings.table));
    await migrate(database, settings, [...migrationsOf(settings), ...next]);
  } finally {
    await database.close();
  }
}

async function versionsOf({ table = '' }: PostgresStoreOptions): Promise<unknown[]> {
  const columns = 'version::int, works_with::int, release';
  return onDatabase(`SELECT ${columns} FROM ${table}_versions ORDER BY version`);
}

const release = CONTRACT_DOCUMENT_VERSION;
const FIRST = { version: 1, works_with: 1, release };
const SECOND = { version: 2, works_with: 1, release };
const THIRD = { version: 3, works_with: 2, release };

describe.each(['advisory', 'rows'] as const)('with %s locks', (locks) => {
  test('OPR-163 an older server goes on with expanded tables, and starts again', async () => {
    const options = newTables({ locks });
    const older = serverOf(options);
    await put(older, 'before');
    await upgrade(options, expanding);
    await put(older, 'after');
    expect(await has(older, 'before')).toBe(true);
    const again = serverOf(options);
    expect(await has(again, 'after')).toBe(true);
    await put(again, 'again');
    expect(await has(older, 'again')).toBe(true);
    expect(await versionsOf(options)).toEqual([FIRST, SECOND]);
  });

  test('OPR-164 contracted tables refuse an older server, and say what to start', async () => {
    const options = newTables({ locks });
    const running = serverOf(options);
    await put(running, 'before');
    await upgrade(options, expanding);
    await upgrade(options, expanding, contracting);
    const refusal = {
      code: 'store_incompatible',
      message: expect.stringMatching(
        new RegExp(`version 3, for servers of version 2 .* Start release ${release} or a`, 'u'),
      ),
    };
    await expect(put(serverOf(options), 'new')).rejects.toMatchObject(refusal);
    // One that runs finds the tables changed, and then why.
    await expect(put(running, 'late')).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(put(running, 'later')).rejects.toMatchObject(refusal);
    await expect(has(running, 'before')).rejects.toMatchObject(refusal);
    expect(await versionsOf(options)).toEqual([FIRST, SECOND, THIRD]);
    // Servers of version 2 start again.
    await upgrade(options, expanding);
    const [row] = await onDatabase(`SELECT count(*)::int AS entries FROM ${options.table ?? ''}`);
    expect(row).toEqual({ entries: 1 });
  });
});

test('servers that start at once upgrade the tables once', async () => {
  const options = newTables();
  await put(serverOf(options), 'before');
  await Promise.all(Array.from({ length: 4 }, () => upgrade(options, expanding)));
  expect(await versionsOf(options)).toEqual([FIRST, SECOND]);
});

test('tables that are gone are not made again under a server that runs', async () => {
  const options = newTables();
  const store = serverOf(options);
  await put(store, 'before');
  await onDatabase(`DROP TABLE ${options.table ?? ''}`);
  for (const text of ['one', 'two']) {
    await expect(put(store, text)).rejects.toMatchObject({ code: 'store_unavailable' });
  }
});
