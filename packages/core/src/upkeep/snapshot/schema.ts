/** Documents of snapshots (docs/contract/snapshots.md). */
import * as v from 'valibot';
import { closed } from '../../contract/schema/document.js';
import { describedAs, named } from '../../contract/schema/json-schema.js';
import { integer } from '../../contract/schema/number.js';
import { shownTime } from '../../contract/schema/time.js';

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
    every_secs: v.nullable(integer(60)),
    /** How many snapshots of the schedule are kept. */
    keep: v.nullable(integer(1)),
    /** When the next one is due. One that is overdue is being made, or has failed. */
    due_at: v.nullable(shownTime()),
    /** The newest snapshot that a schedule made. */
    newest_id: v.nullable(snapshot.snapshot_id),
  }),
  named('SnapshotSchedule'),
);
export type SnapshotSchedule = v.InferOutput<typeof SnapshotSchedule>;

/** All complete snapshots, newest first. */
export const SnapshotList = v.pipe(
  closed({ snapshots: v.array(ListedSnapshot), count: integer() }),
  named('SnapshotList'),
);
export type SnapshotList = v.InferOutput<typeof SnapshotList>;
