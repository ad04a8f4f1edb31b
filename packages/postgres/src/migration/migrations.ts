/**
 * The tables and functions of a store, version by version. A released version never changes. Names
 * of functions contain the version that introduced them, so that older servers keep theirs.
 *
 * Expand first, contract later: a version that adds something works with the servers of the version
 * before. What they need is removed a release after the last one that needed it.
 */
import { LOCK_ROWS } from '../locks/lock-ids.js';
import { functionNames, tableNames } from '../settings/names.js';
import type { Settings } from '../settings/settings.js';
import {
  advanceLane,
  advisoryLocks,
  appendByTransaction,
  pointsQuery,
} from '../database/statements.js';

/** The upgrade of the tables from the previous version. */
export interface Migration {
  readonly version: number;
  /** The oldest version whose servers work with tables of this one; stored with it. */
  readonly worksWith: number;
  readonly statements: readonly string[];
}

/** Returns all migrations, oldest first. */
export function migrationsOf({ table, locks }: Settings): readonly Migration[] {
  return [{ version: 1, worksWith: 1, statements: firstVersion(table, locks === 'advisory') }];
}

function firstVersion(table: string, hasFunctions: boolean): string[] {
  const { entries, lanes, locks, positions } = tableNames(table);
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
          `CREATE TABLE IF NOT EXISTS ${positions} (id bigint PRIMARY KEY, version bigint NOT NULL)`,
          `INSERT INTO ${positions} (id, version) VALUES (0, 0) ON CONFLICT (id) DO NOTHING`,
        ]),
  ];
}

/**
 * The function that locks, checks, writes and commits in one call. Each statement in it has its own
 * snapshot, so the check sees everything that was committed before the locks were granted. If a
 * check fails, it changes nothing and returns the mismatches: keys by their position from 1, spans
 * by the negative of theirs.
 */
function commitFunction(table: string): string {
  const { entries, lanes } = tableNames(table);
  return `CREATE OR REPLACE FUNCTION ${functionNames(table).commit}(
    commit_lane bigint, mark_before bigint, mark_now bigint, lock_wait text,
    lock_ids bigint[], lock_modes bigint[],
    read_keys bytea[], read_revisions bigint[],
    span_lows bytea[], span_highs bytea[], span_digests bytea[],
    put_keys bytea[], put_values bytea[], removed bytea[],
    append_prefixes bytea[], append_values bytea[]
  ) RETURNS TABLE (found_at bigint, found_revision bigint, found_value bytea)
  LANGUAGE plpgsql VOLATILE AS $body$
  #variable_conflict use_column
  DECLARE
    is_stale boolean;
    removed_key bytea;
  BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'agentkeep commits only under READ COMMITTED' USING ERRCODE = '25001';
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
    IF is_stale
      OR cardinality(put_keys) + cardinality(removed) + cardinality(append_prefixes) = 0 THEN
      RETURN;
    END IF;
    FOREACH removed_key IN ARRAY removed LOOP
      DELETE FROM ${entries} AS t WHERE t.key = removed_key;
    END LOOP;
    INSERT INTO ${entries} (key, value, revision)
      SELECT p.key, p.value, mark_now FROM unnest(put_keys, put_values) AS p(key, value)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, revision = excluded.revision;
    IF cardinality(append_prefixes) > 0 THEN
      ${appendByTransaction(entries, ['append_prefixes', 'append_values', 'mark_now'])};
    END IF;
    ${advanceLane(lanes, 'commit_lane', 'mark_before', 'mark_now')};
  END
  $body$`;
}
