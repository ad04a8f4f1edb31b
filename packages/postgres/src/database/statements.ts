/**
 * The SQL statements of a store.
 */
import { EPOCH_KEY } from '@agentkeep/core/store';
import type { Statement } from './database.js';
import { functionNames, tableNames } from '../settings/names.js';
import type { Settings } from '../settings/settings.js';

/** All statements of a store, except those of its migrations. */
export type Statements = ReturnType<typeof statementsOf>;

/** The key of the stored epoch. */
const EPOCH_KEY_SQL = `'\\x${Buffer.from(EPOCH_KEY).toString('hex')}'::bytea`;

/** The start of the database server, in microseconds: another one after a restore. */
const DATABASE_START = '(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint';

/** The source of versions of the counter, which no other store has. */
const COUNTER = '1';

/** The least id of a running transaction. All below it have ended, and are visible. */
const OLDEST_TRANSACTION = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/**
 * A query without rows, which fails on a copy of the database: what a copy answers may be outdated,
 * and a credential that was revoked must not come back. The call fails there alone.
 */
const ON_PRIMARY = `SELECT -1, 0, NULL, pg_current_xact_id()::text::bigint, NULL
  WHERE pg_is_in_recovery()`;

/** Returns the statements for a table name. */
export function statementsOf({ table, locks: kind }: Pick<Settings, 'table' | 'locks'>) {
  const { entries, lanes, locks, positions } = tableNames(table);
  const { commit } = functionNames(table);
  const named = (name: string, text: string): Statement => ({ name: `${table}_${name}`, text });
  return {
    /** Returns the keys whose revision is not the expected one, with their values. */
    points: named('points', [pointsQuery(entries), ON_PRIMARY].join('\nUNION ALL\n')),
    /** The same, plus the first entries of spans; the last parameter limits the rows per span. */
    spans: named(
      'spans',
      [
        pointsQuery(entries),
        spansQuery(entries, 1, 'ASC', 3),
        spansQuery(entries, 2, 'DESC', 5),
        ON_PRIMARY,
      ].join('\nUNION ALL\n'),
    ),
    /** Locks, checks, writes and commits in one call. */
    commit: named('commit', `SELECT * FROM ${commit}(${placeholders(16)})`),
    put: named(
      'put',
      `INSERT INTO ${entries} (key, value, revision)
       SELECT p.key, p.value, $3::bigint FROM unnest($1::bytea[], $2::bytea[]) AS p(key, value)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, revision = excluded.revision`,
    ),
    remove: named('remove', `DELETE FROM ${entries} WHERE key IN (SELECT unnest($1::bytea[]))`),
    /** Appends. Fails if the stored epoch is not that of the running database. */
    append: named(
      'append',
      kind === 'advisory'
        ? appendByTransaction(entries, ['$1', '$2', '$3'])
        : appendByCounter(entries, positions),
    ),
    /** Returns the stored epoch, the version below which all is complete, and the source. */
    horizon: named(
      'horizon',
      `SELECT (SELECT value FROM ${entries} WHERE key = ${EPOCH_KEY_SQL}),
         ${kind === 'advisory' ? OLDEST_TRANSACTION : nextOf(positions)},
         ${kind === 'advisory' ? DATABASE_START : COUNTER}`,
    ),
    /** Moves a lane to a commit. Fails if the lane does not hold the expected commit. */
    advance: named('advance', advanceLane(lanes, '$1', '$2', '$3')),
    /** Returns the last commit of a lane. No earlier commit can succeed afterwards. */
    settle: named(
      'settle',
      `INSERT INTO ${lanes} AS l (lane, mark) VALUES ($1::bigint, $3::bigint)
       ON CONFLICT (lane) DO UPDATE SET touched = now(),
         mark = CASE WHEN l.mark = $2::bigint THEN l.mark ELSE excluded.mark END
       RETURNING mark`,
    ),
    closeLane: named('close_lane', `DELETE FROM ${lanes} WHERE lane = $1::bigint`),
    takeLocks: named('take_locks', advisoryLocks('pg_advisory_xact_lock')),
    tryLocks: named('try_locks', TRY_LOCKS),
    shareRows: named('share_rows', lockRows(locks, 'SHARE')),
    updateRows: named('update_rows', lockRows(locks, 'UPDATE')),
    page: named(
      'page',
      `SELECT key, value FROM ${entries} WHERE key > $1::bytea ORDER BY key LIMIT $2::bigint`,
    ),
    ...spanStatements(entries, named),
    count: named(
      'count',
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${entries} LIMIT $1::bigint) AS e),
         (SELECT reltuples::bigint FROM pg_class WHERE oid = '${entries}'::regclass),
         pg_total_relation_size('${entries}'::regclass)`,
    ),
  };
}

/** Returns the statements that read a span, in key order and from the greatest key down. */
function spanStatements(entries: string, named: (name: string, text: string) => Statement) {
  return {
    span: named('span', spanQuery(entries, 'ASC')),
    spanDown: named('span_down', spanQuery(entries, 'DESC')),
  };
}

/** Returns the statement that drops lanes that were not used for seven days. */
export function dropOldLanes(table: string): Statement {
  const text = `DELETE FROM ${tableNames(table).lanes} WHERE touched < now() - interval '7 days'`;
  return { name: `${table}_forget_lanes`, text };
}

/** Statements that begin and end transactions. */
export const control = {
  begin: { name: 'agentkeep_begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' },
  beginRead: {
    name: 'agentkeep_begin_read',
    text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  },
  /** Limits of this transaction: for locks, for statements, and for a silent client. */
  limits: {
    name: 'agentkeep_limits',
    text: `SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
      set_config('idle_in_transaction_session_timeout', $2, true)`,
  },
  /** Lifts the limit for a silent client, for transactions with slow work between statements. */
  noIdleLimit: {
    name: 'agentkeep_patience',
    text: `SELECT set_config('idle_in_transaction_session_timeout', '0', true)`,
  },
  commit: { name: 'agentkeep_end', text: 'COMMIT' },
  rollback: { name: 'agentkeep_rollback', text: 'ROLLBACK' },
} as const satisfies Record<string, Statement>;

/**
 * Returns the look-up of keys $1 with expected revisions $2. It is written as a loop over the keys,
 * so that a plan from the time when the table was small cannot scan all of it.
 */
export function pointsQuery(entries: string, keys = '$1', revisions = '$2'): string {
  return `SELECT 0 AS part, k.at, NULL::bytea AS key, coalesce(e.revision, 0) AS revision, e.value
    FROM unnest(${keys}::bytea[], ${revisions}::bigint[])
      WITH ORDINALITY AS k(key, revision, at)
    LEFT JOIN LATERAL (
      SELECT t.revision, t.value FROM ${entries} AS t WHERE t.key = k.key OFFSET 0
    ) AS e ON true
    WHERE coalesce(e.revision, 0) <> k.revision`;
}

/** Returns the statement that moves a lane to a commit. The table rejects a mark of -1. */
export function advanceLane(lanes: string, lane: string, before: string, mark: string): string {
  return `INSERT INTO ${lanes} AS l (lane, mark) VALUES (${lane}::bigint, ${mark}::bigint)
    ON CONFLICT (lane) DO UPDATE SET touched = now(),
      mark = CASE WHEN l.mark = ${before}::bigint THEN excluded.mark ELSE -1 END`;
}

/** Returns the query that takes locks $1 in the given order, exclusively where $2 is 1. */
export function advisoryLocks(name: string, ids = '$1', modes = '$2'): string {
  return `SELECT CASE WHEN l.mode = 1 THEN ${name}(l.id)::text ELSE ${name}_shared(l.id)::text END
    FROM unnest(${ids}::bigint[], ${modes}::bigint[]) AS l(id, mode)`;
}

const tryAdvisoryLocks = `SELECT CASE WHEN l.mode = 1 THEN pg_try_advisory_xact_lock(l.id)
    ELSE pg_try_advisory_xact_lock_shared(l.id) END
  FROM unnest($1::bigint[], $2::bigint[]) AS l(id, mode)`;

function spansQuery(entries: string, part: number, order: 'ASC' | 'DESC', first: number): string {
  return `SELECT ${String(part)}, s.at, e.key, e.revision, e.value
    FROM unnest($${String(first)}::bytea[], $${String(first + 1)}::bytea[])
      WITH ORDINALITY AS s(low, high, at)
    CROSS JOIN LATERAL (
      SELECT t.key, t.revision, t.value FROM ${entries} AS t
      WHERE t.key >= s.low AND t.key < s.high ORDER BY t.key ${order} LIMIT $7::bigint
    ) AS e`;
}

const TRY_LOCKS = `SELECT coalesce(bool_and(t.granted), true)
  FROM (${tryAdvisoryLocks}) AS t(granted)`;

function spanQuery(entries: string, order: 'ASC' | 'DESC'): string {
  return `SELECT key, value FROM ${entries} WHERE key >= $1::bytea AND key < $2::bytea
    ORDER BY key ${order} LIMIT $3::bigint`;
}

function lockRows(locks: string, mode: 'SHARE' | 'UPDATE'): string {
  return `SELECT id FROM ${locks} WHERE id IN (SELECT unnest($1::bigint[])) ORDER BY id FOR ${mode}`;
}

function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${String(index + 1)}`).join(', ');
}

const nextOf = (positions: string): string => `(SELECT version + 1 FROM ${positions} WHERE id = 0)`;

/**
 * Returns the statement that appends values under prefixes. The id of the transaction is assigned
 * after its locks were granted, so it is above those of all transactions that it depends on.
 */
export function appendByTransaction(
  entries: string,
  [prefixes, values, mark]: readonly [string, string, string],
): string {
  const position = positionSql('pg_current_xact_id()::text::bigint');
  return `INSERT INTO ${entries} (key, value, revision)
    SELECT a.prefix || ${position}, a.value, ${mark}::bigint
    FROM unnest(${prefixes}::bytea[], ${values}::bytea[])
      WITH ORDINALITY AS a(prefix, value, at)
    LEFT JOIN ${entries} AS m ON m.key = ${EPOCH_KEY_SQL}
      AND substring(m.value FROM 8 FOR 8) = int8send(${DATABASE_START})`;
}

/** The same with a counter. It makes commits wait for one another, in the order of positions. */
function appendByCounter(entries: string, positions: string): string {
  return `WITH c AS (UPDATE ${positions} SET version = version + 1 WHERE id = 0 RETURNING version)
    INSERT INTO ${entries} (key, value, revision)
    SELECT a.prefix || ${positionSql('c.version')}, a.value, $3::bigint
    FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS a(prefix, value, at)
    CROSS JOIN c
    LEFT JOIN ${entries} AS m ON m.key = ${EPOCH_KEY_SQL}`;
}

/** Returns the expression of a position: the stored epoch, a version, and an index. */
function positionSql(version: string): string {
  return `substring(m.value FROM 2 FOR 6) || substring(int8send(${version}) FROM 2)
      || substring(int4send((a.at - 1)::int) FROM 2)`;
}
