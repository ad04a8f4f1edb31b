/** The stored schedule of snapshots, which goes before the options of the service. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { findMarker, putMarker } from '../../../kernel/installation/marker-store.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { ScheduleSettings } from './snapshot-options.js';

/** What is stored about the schedule of snapshots. */
export interface StoredSchedule {
  /** Greater after each change; 0 if no schedule was ever stored. */
  readonly revision: number;
  /** Null makes no snapshots; absent, the options of the service apply. */
  readonly setting?: ScheduleSettings | null;
}

/** The marker: the revision, and either nothing else, null, or interval and number. */
type ScheduleMarker = readonly [
  revision: number,
  setting?: readonly [everyMs: number, keep: number] | null,
];

/**
 * Returns what is stored about the schedule.
 *
 * @throws {AgentkeepError} `storage_inconsistency`
 */
export function findSchedule(tx: ReadTx): StoredSchedule {
  const stored = findMarker(tx, 'snapshot_schedule');
  if (stored === undefined) return { revision: 0 };
  if (!Array.isArray(stored)) throw new AgentkeepError('storage_inconsistency');
  const [revision, setting] = stored as unknown as ScheduleMarker;
  if (setting === undefined) return { revision };
  return { revision, setting: setting && { everyMs: setting[0], keep: setting[1] } };
}

/** Stores a schedule. */
export function putSchedule(tx: WriteTx, { revision, setting }: StoredSchedule): void {
  const stated = setting && [setting.everyMs, setting.keep];
  putMarker(tx, 'snapshot_schedule', stated === undefined ? [revision] : [revision, stated]);
}

/** Returns the schedule by which snapshots are made, or `undefined` if none are. */
export function scheduleInForce(
  { setting }: StoredSchedule,
  options: ScheduleSettings | undefined,
): ScheduleSettings | undefined {
  return setting === undefined ? options : (setting ?? undefined);
}
