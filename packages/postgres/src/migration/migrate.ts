/**
 * Creates or upgrades the tables of a store, while other servers may do the same.
 */
import { storeError } from '@agentkeep/core/store';
import type { Database, Session, Statement } from '../database/database.js';
import { isTransient, isUninstalled, sqlStateOf } from '../database/failure.js';
import { migrationLock } from '../locks/lock-ids.js';
import { type Migration, migrationsOf, SCHEMA_VERSION } from './migrations.js';
import { tableNames } from '../settings/names.js';
import type { Settings } from '../settings/settings.js';
import { control, dropOldLanes } from '../database/statements.js';

/** Attempts at a migration that other servers run at the same time. */
const ATTEMPTS_MAX = 5;

/** SQLSTATEs of a table or row that another server has just created. */
const ALREADY_CREATED = new Set(['23505', '42710', '42P07', 'XX000']);

/**
 * Creates the tables, or upgrades them to the version of this package.
 * @throws {AgentkeepError} `store_incompatible` if they have a later version.
 */
export async function migrate(database: Database, settings: Settings): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if ((await versionOf(database, settings)) < SCHEMA_VERSION) await upgrade(database, settings);
      await database.run(dropOldLanes(settings.table));
      return;
    } catch (error) {
      const isRepeatable = isTransient(error) || ALREADY_CREATED.has(sqlStateOf(error) ?? '');
      if (!isRepeatable || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** Returns the version of the tables; 0 if there are none. */
async function versionOf(database: Database, { table }: Settings): Promise<number> {
  try {
    const { rows } = await database.run(versionQuery(table));
    return checked(Number(rows[0]?.[0]), table);
  } catch (error) {
    if (isUninstalled(error)) return 0;
    throw error;
  }
}

async function upgrade(database: Database, settings: Settings): Promise<void> {
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
    // Read again: the previous holder of the lock has probably upgraded the tables.
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
  if (answer === undefined) throw new Error('The statement returned no answer.');
  return answer;
}

function checked(version: number, table: string): number {
  if (version <= SCHEMA_VERSION) return version;
  const detail = `A later release made the tables of ${table}, with version ${String(version)}.`;
  throw storeError('store_incompatible', detail);
}

function versionQuery(table: string): Statement {
  const text = `SELECT coalesce(max(version), 0) FROM ${tableNames(table).versions}`;
  return { name: `${table}_version`, text };
}

/** Returns an unnamed statement, for statements that run only once. */
function once(text: string) {
  return { statement: { name: '', text } };
}
