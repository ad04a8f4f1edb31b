/**
 * Stores on the test database, each in its own tables.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { PostgresStoreOptions } from '../src/index.js';

/** URL of the test database, if there is one. */
const databaseUrl = process.env['AGENTKEEP_TEST_POSTGRES_URL'];

/** Each connection of its own would take longer than the statements. */
const connections = new pg.Pool({ connectionString: databaseUrl, max: 1, allowExitOnIdle: true });
connections.on('error', () => undefined);

/** Returns options that open new, empty tables. */
export function newTables(options: Partial<PostgresStoreOptions> = {}): PostgresStoreOptions {
  if (databaseUrl === undefined) throw new Error('There is no test database.');
  const table = `t_${randomBytes(6).toString('hex')}`;
  return { url: databaseUrl, table, maxConnections: 4, ...options };
}

/** Runs statements directly on the database. Returns the rows of the last one. */
export async function onDatabase(
  ...statements: readonly string[]
): Promise<Record<string, unknown>[]> {
  const client = await connections.connect();
  try {
    return await rowsOf(client, statements);
  } finally {
    client.release();
  }
}

/** Runs statements directly on a database. Returns the rows of the last one. */
export async function rowsIn(
  url: string | undefined,
  ...statements: readonly string[]
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await rowsOf(client, statements);
  } finally {
    await client.end();
  }
}

async function rowsOf(client: pg.ClientBase, statements: readonly string[]) {
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  return rows;
}

/** Creates an empty database and returns its URL. */
export async function newDatabaseUrl(): Promise<string> {
  const name = `d_${randomBytes(6).toString('hex')}`;
  await onDatabase(`CREATE DATABASE ${name}`);
  const url = new URL(databaseUrl ?? '');
  url.pathname = name;
  return url.href;
}
