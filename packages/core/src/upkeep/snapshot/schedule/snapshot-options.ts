/** The options of the schedule of snapshots, and when the next one is due. */
import {
  EVERY_SECONDS_MAX,
  EVERY_SECONDS_MIN,
  KEPT_DEFAULT,
  KEPT_MAX,
  type ListedSnapshot,
} from '../schema.js';

/** Options of scheduled snapshots. */
export interface SnapshotOptions {
  /** Seconds from one snapshot to the next, 60 to 31,622,400. */
  readonly everySeconds: number;
  /**
   * How many snapshots of the schedule are kept, 1 to 1,000. Older ones are removed once a newer
   * one is complete; those that were asked for are never removed. Default: 7.
   */
  readonly keep?: number;
}

/** The schedule of snapshots. */
export interface ScheduleSettings {
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
  keep = KEPT_DEFAULT,
}: SnapshotOptions): ScheduleSettings {
  const [min, max] = [EVERY_SECONDS_MIN, EVERY_SECONDS_MAX];
  if (!isWithin(everySeconds, min, max)) {
    throw new TypeError(`snapshots.everySeconds must be an integer from ${min} to ${max}.`);
  }
  if (!isWithin(keep, 1, KEPT_MAX)) {
    throw new TypeError(`snapshots.keep must be an integer from 1 to ${KEPT_MAX}.`);
  }
  return { everyMs: everySeconds * 1_000, keep };
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

/** What the rules need of a snapshot. */
type Known = Pick<ListedSnapshot, 'snapshot_id' | 'created_at' | 'is_scheduled'>;

/**
 * Returns when the next snapshot of the schedule is due, in Unix milliseconds: at once if there is
 * none, or if the newest one is of the future, as after a clock was corrected.
 */
export function nextDueMs(
  newestFirst: readonly Known[],
  { everyMs }: Pick<ScheduleSettings, 'everyMs'>,
  nowMs: number,
): number {
  const newest = newestFirst.find(({ is_scheduled }) => is_scheduled);
  if (newest === undefined) return nowMs;
  const madeMs = Date.parse(newest.created_at);
  return madeMs > nowMs ? nowMs : madeMs + everyMs;
}

/** Returns the ids of the snapshots that the schedule made and no longer keeps. */
export function surplusIds(
  newestFirst: readonly Known[],
  { keep }: Pick<ScheduleSettings, 'keep'>,
): string[] {
  const scheduled = newestFirst.filter(({ is_scheduled }) => is_scheduled);
  return scheduled.slice(keep).map(({ snapshot_id }) => snapshot_id);
}
