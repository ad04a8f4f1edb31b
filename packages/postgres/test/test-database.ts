/**
 * Databases on PostgreSQL for all other tests; AGENTKEEP_TEST_STORE can name this module. The tests
 * of a file use the same tables and connections, one after another: to create tables and to connect
 * takes ten times as long as what a test does with them.
 */
import { afterFile } from '@agentkeep/testkit/after-file';
import type { Store } from '@agentkeep/core';
import type { TestDatabase } from '@agentkeep/testkit/test-database';
import { Database } from '../src/database/database.js';
import { migrate } from '../src/migration/migrate.js';
import { type Connections, HELD_MAX, storeOn } from '../src/postgres-store.js';
import { functionNames, tableNames } from '../src/settings/names.js';
import { type Settings, settingsOf } from '../src/settings/settings.js';
import { newTables, onDatabase } from './fixture.js';

/** Connections that stay open when a store on them is closed. */
class LastingConnections extends Database {
  override close(): Promise<void> {
    return Promise.resolve();
  }

  end(): Promise<void> {
    return super.close();
  }
}

/** Tables of one database after another. */
interface Tables {
  readonly settings: Settings;
  /** All that were ever opened. */
  readonly connections: LastingConnections[];
  /** Those that no store uses. */
  readonly idle: Connections[];
  /** All that were ever in these tables. */
  readonly databases: TestDatabase[];
}

/** Empty tables, which no database uses. */
const unused = new Set<Tables>();

/** Returns an empty database that any number of stores can open. */
export async function newDatabase(): Promise<TestDatabase> {
  const [tables = await createTables()] = unused;
  unused.delete(tables);
  const stores: Store[] = [];
  const used: Connections[] = [];
  const drop = async (): Promise<void> => {
    await Promise.allSettled(stores.map((store) => store.close()));
    const { entries, lanes } = tableNames(tables.settings.table);
    await onDatabase(`DELETE FROM ${entries}; DELETE FROM ${lanes}`);
    tables.idle.push(...used);
    unused.add(tables);
  };
  let dropped: Promise<void> | undefined;
  const database: TestDatabase = {
    open: () => {
      const connections = tables.idle.pop() ?? connect(tables);
      used.push(connections);
      const store = storeOn(tables.settings, connections);
      stores.push(store);
      return Promise.resolve(store);
    },
    drop: () => (dropped ??= drop()),
  };
  tables.databases.push(database);
  return database;
}

async function createTables(): Promise<Tables> {
  const settings = settingsOf(newTables());
  const tables: Tables = { settings, connections: [], idle: [], databases: [] };
  afterFile(() => remove(tables));
  const first = connect(tables);
  await migrate(first.work, settings);
  tables.idle.push(first);
  return tables;
}

function connect({ settings, connections }: Tables): Connections {
  const work = new LastingConnections(settings);
  const holding = new LastingConnections({ ...settings, maxConnections: HELD_MAX });
  connections.push(work, holding);
  return { work, holding };
}

async function remove(tables: Tables): Promise<void> {
  for (const database of tables.databases) await database.drop();
  unused.delete(tables);
  for (const connection of tables.connections) await connection.end();
  const { table } = tables.settings;
  await onDatabase(
    `DROP TABLE IF EXISTS ${Object.values(tableNames(table)).join(', ')}`,
    `DROP FUNCTION ${functionNames(table).commit}`,
  );
}
