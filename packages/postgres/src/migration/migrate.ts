/**
 * Creates or upgrades the tables of a store, while other servers may do the same.
 */
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import { AgentkeepError } from '@agentkeep/core/store';
import type { Answer, Database, Session, Statement } from '../database/database.js';
import { isTransient, isUninstalled, sqlStateOf } from '../database/failure.js';
import { migrationLock } from '../locks/lock-ids.js';
import { type Migration, migrationsOf } from './migrations.js';
import { tableNames } from '../settings/names.js';
import type { Settings } from '../settings/settings.js';
import { control, dropOldLanes } from '../database/statements.js';

/** Attempts at a migration that other servers run at the same time. */
const ATTEMPTS_MAX = 5;

/** SQLSTATEs of a table or row that another server has just created. */
const ALREADY_CREATED = new Set(['23505', '42710', '42P07', 'XX000']);

/** The version of tables. */
interface Found {
  readonly version: number;
  /** The oldest version whose servers work with it. */
  readonly worksWith: number;
  /** The release that made it. */
  readonly release: string;
}

/**
 * Creates the tables, or upgrades them to the last of the migrations.
 * @throws {AgentkeepError} `store_incompatible` if they have a later version that no longer works
 * with servers of this one.
 */
export async function migrate(
  database: Database,
  settings: Settings,
  migrations = migrationsOf(settings),
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found = await foundIn(database, settings);
      if (isOlder(found, migrations, settings)) await upgrade(database, settings, migrations);
      await database.run(dropOldLanes(settings.table));
      return;
    } catch (error) {
      const isRepeatable = isTransient(error) || ALREADY_CREATED.has(sqlStateOf(error) ?? '');
      if (!isRepeatable || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** Returns the version of the tables, if there are any. */
async function foundIn(database: Database, { table }: Settings): Promise<Found | undefined> {
  try {
    return foundOf(await database.run(versionQuery(table)));
  } catch (error) {
    if (isUninstalled(error)) return undefined;
    throw error;
  }
}

async function upgrade(
  database: Database,
  settings: Settings,
  migrations: readonly Migration[],
): Promise<void> {
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
          version bigint PRIMARY KEY, works_with bigint NOT NULL, release text NOT NULL,
          made_at timestamptz NOT NULL DEFAULT now())`,
      ),
    );
    // Read again: the previous holder of the lock has probably upgraded the tables.
    const found = foundOf(await only(session, versionQuery(table)));
    if (isOlder(found, migrations, settings)) {
      for (const migration of migrations) {
        if (migration.version > (found?.version ?? 0)) await apply(session, migration, versions);
      }
    }
    await session.send({ statement: control.commit });
  });
}

async function apply(session: Session, migration: Migration, versions: string): Promise<void> {
  for (const text of migration.statements) await session.send(once(text));
  const row = [migration.version, migration.worksWith, `'${CONTRACT_DOCUMENT_VERSION}'`].join(', ');
  await session.send(
    once(`INSERT INTO ${versions} (version, works_with, release) VALUES (${row})`),
  );
}

async function only(session: Session, statement: Statement) {
  const [answer] = await session.send({ statement });
  if (answer === undefined) throw new Error('The statement returned no answer.');
  return answer;
}

/**
 * Returns whether tables lack one of the migrations.
 * @throws {AgentkeepError} `store_incompatible` for tables that no longer work with this version.
 */
function isOlder(
  found: Found | undefined,
  migrations: readonly Migration[],
  { table }: Settings,
): boolean {
  const own = Math.max(...migrations.map(({ version }) => version));
  if (found === undefined || found.version < own) return true;
  if (found.worksWith <= own) return false;
  throw new AgentkeepError('store_incompatible', {
    message:
      `The tables of ${table} have version ${String(found.version)}, for servers of version ` +
      `${String(found.worksWith)} of the tables or later, and release ${CONTRACT_DOCUMENT_VERSION} ` +
      `has version ${String(own)}. Start release ${found.release} or a later one.`,
  });
}

function foundOf({ rows }: Answer): Found | undefined {
  const [row] = rows;
  if (row === undefined) return undefined;
  const [version, worksWith, release] = row;
  return { version: Number(version), worksWith: Number(worksWith), release: String(release) };
}

function versionQuery(table: string): Statement {
  const { versions } = tableNames(table);
  const text = `SELECT version, works_with, release FROM ${versions} ORDER BY version DESC LIMIT 1`;
  return { name: `${table}_version`, text };
}

/**
 * Checks tables that a later version may have changed under a server that runs. Makes none.
 * @throws {AgentkeepError} `store_incompatible` if they no longer work with this version.
 */
export async function checkTables(database: Database, settings: Settings): Promise<void> {
  isOlder(await foundIn(database, settings), migrationsOf(settings), settings);
}

/** Returns an unnamed statement, for statements that run only once. */
function once(text: string) {
  return { statement: { name: '', text } };
}
