/** Documents of snapshots (docs/contract/snapshots.md). */
import * as v from 'valibot';
import { closed } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import { integer } from '../../contract/schema/number.js';
import { shownTime } from '../../contract/schema/time.js';

/** Fewest seconds from one snapshot of a schedule to the next: a minute. */
export const EVERY_SECONDS_MIN = 60;

/** Most seconds from one snapshot of a schedule to the next: 366 days. */
export const EVERY_SECONDS_MAX = 31_622_400;

/** Most snapshots that a schedule keeps. */
export const KEPT_MAX = 1_000;

/** Snapshots that a schedule keeps if it doesn't say how many. */
export const KEPT_DEFAULT = 7;

const snapshot = {
  /** When it was started, in UTC, for example `20260101-000000-000`. */
  snapshot_id: v.pipe(
    v.string(),
    describedAs({ type: 'string', pattern: '^\\d{8}-\\d{6}-\\d{3}$' }),
  ),
  /** Its folder, as an absolute path. */
  path: v.string(),
  /** Bytes of its files. */
  size_bytes: integer(),
};

/** A snapshot. */
export const Snapshot = v.pipe(closed(snapshot), named('Snapshot'));
export type Snapshot = v.InferOutput<typeof Snapshot>;

/** A snapshot in a list. */
export const ListedSnapshot = v.pipe(
  closed({
    ...snapshot,
    /** When it was started. */
    created_at: shownTime(),
    stored_version: integer(1),
    /** Whether the schedule of the service made it, and removes it in time. */
    is_scheduled: v.boolean(),
  }),
  named('ListedSnapshot'),
);
export type ListedSnapshot = v.InferOutput<typeof ListedSnapshot>;

/** How the service makes snapshots by itself; null without a schedule. */
export const SnapshotSchedule = v.pipe(
  closed({
    /** Seconds from one snapshot to the next. */
    every_secs: v.nullable(integer(EVERY_SECONDS_MIN)),
    /** How many snapshots of the schedule are kept. */
    keep: v.nullable(integer(1)),
    /** When the next one is due. One that is overdue is being made, or has failed. */
    due_at: v.nullable(shownTime()),
    /** The newest snapshot that a schedule made. */
    newest_id: v.nullable(snapshot.snapshot_id),
    /** Whether a stored schedule goes before the options of the service. */
    is_stored: v.boolean(),
    /** Greater after each change; 0 if no schedule was ever stored. */
    revision: integer(),
  }),
  named('SnapshotSchedule'),
);
export type SnapshotSchedule = v.InferOutput<typeof SnapshotSchedule>;

/** The request body that stores a schedule; without `every_secs`, the options apply again. */
export const SnapshotScheduleRequest = v.pipe(
  closed({
    /** Seconds from one snapshot to the next; null makes none. */
    every_secs: v.optional(v.nullable(integer(EVERY_SECONDS_MIN, EVERY_SECONDS_MAX))),
    /** How many snapshots of the schedule are kept. */
    keep: v.optional(integer(1, KEPT_MAX), KEPT_DEFAULT),
    /** The revision that is replaced. Absent replaces any. */
    expected_revision: v.optional(integer()),
  }),
  named('SnapshotScheduleRequest'),
);
export type SnapshotScheduleRequest = v.InferOutput<typeof SnapshotScheduleRequest>;

/** All complete snapshots, newest first. */
export const SnapshotList = v.pipe(
  closed({ snapshots: v.array(ListedSnapshot), count: integer() }),
  named('SnapshotList'),
);
export type SnapshotList = v.InferOutput<typeof SnapshotList>;
