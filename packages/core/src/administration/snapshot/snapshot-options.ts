/** Settings of scheduled snapshots, with their defaults and bounds. */
import {
  SNAPSHOT_EVERY_SECONDS_MAX,
  SNAPSHOT_EVERY_SECONDS_MIN,
  SNAPSHOTS_KEPT_DEFAULT,
  SNAPSHOTS_KEPT_MAX,
} from '../../contract/limits.js';

/** Options of scheduled snapshots. */
export interface SnapshotOptions {
  /** Seconds from one snapshot to the next, 60 to 31,622,400. */
  readonly everySeconds: number;
  /**
   * How many snapshots of the schedule are kept, 1 to 1,000. Older ones are removed once a newer one
   * is complete; those that were asked for are never removed. Default: 7.
   */
  readonly keep?: number;
}

/** The schedule of snapshots. */
export interface SnapshotSchedule {
  readonly everyMs: number;
  readonly keep: number;
}

/**
 * Returns the schedule.
 *
 * @throws {TypeError} when an option is out of range.
 */
export function snapshotSchedule({
  everySeconds,
  keep = SNAPSHOTS_KEPT_DEFAULT,
}: SnapshotOptions): SnapshotSchedule {
  const [min, max] = [SNAPSHOT_EVERY_SECONDS_MIN, SNAPSHOT_EVERY_SECONDS_MAX];
  if (!isWithin(everySeconds, min, max)) {
    throw new TypeError(`snapshots.everySeconds must be an integer from ${min} to ${max}.`);
  }
  if (!isWithin(keep, 1, SNAPSHOTS_KEPT_MAX)) {
    throw new TypeError(`snapshots.keep must be an integer from 1 to ${SNAPSHOTS_KEPT_MAX}.`);
  }
  return { everyMs: everySeconds * 1_000, keep };
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}
