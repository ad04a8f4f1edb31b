/** What snapshots say about the schedule that makes them, which no operation shows. */
import type { Administrator } from '@agentkeep/client';
import { ageText } from '../../parts/time.js';

/** A snapshot in the list. */
export type Snapshot = Awaited<ReturnType<Administrator['snapshots']['list']>>[number];

/** The schedule, in words. */
export interface Schedule {
  readonly kept: number;
  /** The time between its last two; absent where there is one. */
  readonly every: string | undefined;
}

/** Returns what the snapshots say about their schedule. The newest is first. */
export function scheduleOf(snapshots: readonly Snapshot[]): Schedule | undefined {
  const times = snapshots
    .filter((each) => each.is_scheduled)
    .map((each) => new Date(each.created_at).getTime());
  const [last, before] = times;
  if (last === undefined) return undefined;
  return { kept: times.length, every: before === undefined ? undefined : ageText(last - before) };
}
