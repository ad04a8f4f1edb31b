/**
 * The tables and functions of a store, version by version. A version that was released is never
 * changed; functions carry the version that brought them, so that older servers keep theirs.
 * @module
 */
import { LOCK_ROWS } from './lock-ids.js';
import { functionNames, tableNames } from './names.js';
import type { Settings } from './settings.js';
import { advanceLane, advisoryLocks, pointsQuery } from './statements.js';

/** What brings the tables from the version before to this one. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** The version that this package works with. */
export const SCHEMA_VERSION = 1;

/** All migrations, oldest first. */
export function migrationsOf({ table, locks }: Settings): Migration[] {
  return [{ version: 1, statements: firstVersion(table, locks === 'advisory') }];
}

function firstVersion(table: string, hasFunctions: boolean): string[] {
  const { entries, lanes, locks } = tableNames(table);
  return [
    `CREATE TABLE IF NOT EXISTS ${entries} (
      key bytea PRIMARY KEY, value bytea NOT NULL, revision bigint NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${lanes} (
      lane bigint PRIMARY KEY, mark bigint NOT NULL CHECK (mark > 0),
      touched timestamptz NOT NULL DEFAULT now())`,
    `CREATE TABLE IF NOT EXISTS ${locks} (id bigint PRIMARY KEY)`,
    ...(hasFunctions
      ? [commitFunction(table)]
      : [
          `INSERT INTO ${locks} (id) SELECT generate_series(0, ${String(LOCK_ROWS - 1)})
           ON CONFLICT (id) DO NOTHING`,
        ]),
  ];
}

/**
 * One call that locks, checks, writes and commits. Each statement in it has a snapshot of its own,
 * so the check sees everything that was committed before the locks were given. It returns what was
 * not as expected, and has changed nothing then: keys by their place, spans by its negative.
 */
function commitFunction(table: string): string {
  const { entries, lanes } = tableNames(table);
  return `CREATE OR REPLACE FUNCTION ${functionNames(table).commit}(
    commit_lane bigint, mark_before bigint, mark_now bigint, lock_wait text,
    lock_ids bigint[], lock_modes bigint[],
    read_keys bytea[], read_revisions bigint[],
    span_lows bytea[], span_highs bytea[], span_digests bytea[],
    put_keys bytea[], put_values bytea[], removed bytea[]
  ) RETURNS TABLE (found_at bigint, found_revision bigint, found_value bytea)
  LANGUAGE plpgsql VOLATILE AS $body$
  #variable_conflict use_column
  DECLARE
    is_stale boolean;
    removed_key bytea;
  BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'agentkeep commits under READ COMMITTED alone' USING ERRCODE = '25001';
    END IF;
    IF current_setting('synchronous_commit') = 'off' THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    IF cardinality(lock_ids) > 0 THEN
      PERFORM set_config('lock_timeout', lock_wait, true);
      PERFORM count(*) FROM (
        ${advisoryLocks('pg_advisory_xact_lock', 'lock_ids', 'lock_modes')} OFFSET 0) AS taken;
    END IF;
    RETURN QUERY SELECT q.at, q.revision, q.value
      FROM (${pointsQuery(entries, 'read_keys', 'read_revisions')}) AS q;
    is_stale := FOUND;
    IF cardinality(span_lows) > 0 THEN
      RETURN QUERY SELECT -s.at, 0::bigint, NULL::bytea
        FROM unnest(span_lows, span_highs, span_digests)
          WITH ORDINALITY AS s(low, high, digest, at)
        WHERE s.digest <> (
          SELECT sha256(convert_to(coalesce(string_agg(
            encode(t.key, 'hex') || ':' || t.revision, ',' ORDER BY t.key), ''), 'UTF8'))
          FROM ${entries} AS t WHERE t.key >= s.low AND t.key < s.high);
      is_stale := is_stale OR FOUND;
    END IF;
    IF is_stale OR cardinality(put_keys) + cardinality(removed) = 0 THEN
      RETURN;
    END IF;
    FOREACH removed_key IN ARRAY removed LOOP
      DELETE FROM ${entries} AS t WHERE t.key = removed_key;
    END LOOP;
    INSERT INTO ${entries} (key, value, revision)
      SELECT p.key, p.value, mark_now FROM unnest(put_keys, put_values) AS p(key, value)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, revision = excluded.revision;
    ${advanceLane(lanes, 'commit_lane', 'mark_before', 'mark_now')};
  END
  $body$`;
}
