/** Makes snapshots at the times of the schedule. */
import { recordSnapshot } from '../../../kernel/installation/operator-events.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { Sweeper } from '../../../kernel/services/sweeper.js';
import { fileFailure } from '../../../storage/lmdb-store/failure.js';
import {
  completeSnapshots,
  snapshotKeep,
  type SnapshotLocation,
  snapshotsOfKeep,
} from '../keep-snapshots.js';
import { removeSnapshots } from '../snapshot-folder.js';
import { findSchedule, scheduleInForce } from './schedule-store.js';
import { nextDueMs, type ScheduleSettings, surplusIds } from './snapshot-options.js';

/** How often it looks whether a snapshot is due. */
const LOOK_EVERY_MS = 20_000;

/** After a failure, it waits this long before the next attempt, or for the schedule if shorter. */
const RETRY_MS = 600_000;

/** Dependencies of the scheduler. */
type SchedulerParts = Pick<Runtime, 'store' | 'backend' | 'audit' | 'clock' | 'newId'> &
  Pick<SnapshotLocation, 'dataDir'>;

/** Makes the snapshots of a keep until it is stopped. */
export class SnapshotScheduler extends Sweeper {
  readonly #parts: SchedulerParts;
  readonly #options: ScheduleSettings | undefined;
  #notBeforeMs = -Infinity;

  /** Takes the options of the service, which hold while no schedule is stored. */
  constructor(parts: SchedulerParts, options: ScheduleSettings | undefined) {
    super();
    this.#parts = parts;
    this.#options = options;
  }

  /** Looks every 20 seconds, and soon after the start. */
  start(): void {
    this.repeat(LOOK_EVERY_MS);
    this.wake();
  }

  /**
   * Makes a snapshot if one is due.
   *
   * @throws {AgentkeepError} why it failed, which the audit log has too.
   */
  protected override async sweepAll(): Promise<void> {
    const { clock, store } = this.#parts;
    const nowMs = clock.now();
    if (this.isStopped || nowMs < this.#notBeforeMs) return;
    const stored = await store.read(findSchedule);
    const schedule = scheduleInForce(stored, this.#options);
    if (schedule === undefined) return;
    try {
      await this.#makeDue(schedule, nowMs);
    } catch (cause) {
      const error = fileFailure(cause);
      const { code } = error;
      // Somebody makes one. It is tried again in the next round.
      if (code === 'snapshot_in_progress') return;
      this.#notBeforeMs = nowMs + Math.min(RETRY_MS, schedule.everyMs);
      await recordSnapshot(this.#parts, { error: code });
      throw error;
    }
  }

  async #makeDue(schedule: ScheduleSettings, nowMs: number): Promise<void> {
    const { snapshots } = await snapshotsOfKeep(this.#parts);
    if (nextDueMs(snapshots, schedule, nowMs) > nowMs) return;
    let removed: string[] = [];
    const { snapshot_id } = await snapshotKeep(this.#parts, this.#parts, {
      isScheduled: true,
      afterwards: async (folder) => {
        removed = await this.#removeSurplus(folder, schedule);
      },
    });
    await recordSnapshot(this.#parts, { snapshot_id, removed });
  }

  async #removeSurplus(folder: string, schedule: ScheduleSettings): Promise<string[]> {
    const { dataDir = folder } = this.#parts;
    const ids = surplusIds((await completeSnapshots(dataDir)).snapshots, schedule);
    await removeSnapshots(folder, ids);
    return ids;
  }
}
