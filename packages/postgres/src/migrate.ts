/**
 * Brings the tables of a store up to date, while other servers may be doing the same.
 * @module
 */
import { storeError } from '@agentkeep/core/store';
import type { Database, Session, Statement } from './database.js';
import { isTransient, isUninstalled, sqlStateOf } from './failure.js';
import { migrationLock } from './lock-ids.js';
import { type Migration, migrationsOf, SCHEMA_VERSION } from './migrations.js';
import { tableNames } from './names.js';
import type { Settings } from './settings.js';
import { control, forgetLanes } from './statements.js';

/** Attempts at a migration that other servers make at the same time. */
const ATTEMPTS_MAX = 5;

/** Codes that say that somebody else has just made the same table or row. */
const MADE_MEANWHILE = new Set(['23505', '42710', '42P07', 'XX000']);

/**
 * Makes the tables, or brings them to the version that this package works with.
 * @throws {AgentkeepError} `store_incompatible` when they are of a later version.
 */
export async function migrate(database: Database, settings: Settings): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if ((await versionOf(database, settings)) < SCHEMA_VERSION) await bringUp(database, settings);
      await database.run(forgetLanes(settings.table));
      return;
    } catch (error) {
      const isRepeatable = isTransient(error) || MADE_MEANWHILE.has(sqlStateOf(error) ?? '');
      if (!isRepeatable || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** The version of the tables; 0 where there are none. */
async function versionOf(database: Database, { table }: Settings): Promise<number> {
  try {
    const { rows } = await database.run(versionQuery(table));
    return checked(Number(rows[0]?.[0]), table);
  } catch (error) {
    if (isUninstalled(error)) return 0;
    throw error;
  }
}

async function bringUp(database: Database, settings: Settings): Promise<void> {
  const { table, locks, lockTimeoutMs } = settings;
  const { versions } = tableNames(table);
  await database.use(async (session) => {
    await session.send({ statement: control.begin });
    if (locks === 'advisory') {
      const wait = `SELECT set_config('lock_timeout', '${String(lockTimeoutMs)}', true)`;
      await session.send(once(wait));
      await session.send(once(`SELECT pg_advisory_xact_lock(${String(migrationLock(table))})`));
    }
    await session.send(
      once(
        `CREATE TABLE IF NOT EXISTS ${versions} (
          version bigint PRIMARY KEY, made_at timestamptz NOT NULL DEFAULT now())`,
      ),
    );
    // Read again, for whoever had the lock before has probably done it.
    const { rows } = await only(session, versionQuery(table));
    const found = checked(Number(rows[0]?.[0]), table);
    for (const migration of migrationsOf(settings)) {
      if (migration.version > found) await apply(session, migration, versions);
    }
    await session.send({ statement: control.commit });
  });
}

async function apply(session: Session, migration: Migration, versions: string): Promise<void> {
  for (const text of migration.statements) await session.send(once(text));
  const { version } = migration;
  await session.send(once(`INSERT INTO ${versions} (version) VALUES (${String(version)})`));
}

async function only(session: Session, statement: Statement) {
  const [answer] = await session.send({ statement });
  if (answer === undefined) throw new Error('A statement has an answer.');
  return answer;
}

function checked(version: number, table: string): number {
  if (version <= SCHEMA_VERSION) return version;
  const detail = `The tables of ${table} are of version ${String(version)}, made by a later release.`;
  throw storeError('store_incompatible', detail);
}

function versionQuery(table: string): Statement {
  const text = `SELECT coalesce(max(version), 0) FROM ${tableNames(table).versions}`;
  return { name: `${table}_version`, text };
}

/** A statement that runs once in the life of a store, and so needs no name. */
function once(text: string) {
  return { statement: { name: '', text } };
}
