/** Rules of the schedule of snapshots: when the next one is due, and which of them go. */
import type { ListedSnapshot } from '../schema.js';
import type { ScheduleSettings } from './snapshot-options.js';

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
