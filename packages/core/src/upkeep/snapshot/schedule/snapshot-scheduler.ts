/** Makes snapshots at the times of a schedule, and shows it. */
import { recordSnapshot } from '../../../kernel/installation/operator-events.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { Sweeper } from '../../../kernel/services/sweeper.js';
import { fileFailure } from '../../../storage/lmdb-store/failure.js';
import {
  completeSnapshots,
  snapshotKeep,
  type SnapshotLocation,
  snapshotLocation,
  snapshotsOfKeep,
} from '../keep-snapshots.js';
import { SnapshotSchedule } from '../schema.js';
import { removeSnapshots } from '../snapshot-folder.js';
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
  readonly #schedule: ScheduleSettings;
  #notBeforeMs = -Infinity;

  constructor(parts: SchedulerParts, schedule: ScheduleSettings) {
    super();
    this.#parts = parts;
    this.#schedule = schedule;
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
    const { clock } = this.#parts;
    const nowMs = clock.now();
    if (this.isStopped || nowMs < this.#notBeforeMs) return;
    try {
      await this.#makeDue(nowMs);
    } catch (cause) {
      const error = fileFailure(cause);
      const { code } = error;
      // Somebody makes one. It is tried again in the next round.
      if (code === 'snapshot_in_progress') return;
      this.#notBeforeMs = nowMs + Math.min(RETRY_MS, this.#schedule.everyMs);
      await recordSnapshot(this.#parts, { error: code });
      throw error;
    }
  }

  async #makeDue(nowMs: number): Promise<void> {
    const { snapshots } = await snapshotsOfKeep(this.#parts);
    if (nextDueMs(snapshots, this.#schedule, nowMs) > nowMs) return;
    let removed: string[] = [];
    const { snapshot_id } = await snapshotKeep(this.#parts, this.#parts, {
      isScheduled: true,
      afterwards: async (folder) => {
        removed = await this.#removeSurplus(folder);
      },
    });
    await recordSnapshot(this.#parts, { snapshot_id, removed });
  }

  async #removeSurplus(folder: string): Promise<string[]> {
    const { dataDir = folder } = this.#parts;
    const ids = surplusIds((await completeSnapshots(dataDir)).snapshots, this.#schedule);
    await removeSnapshots(folder, ids);
    return ids;
  }
}

/** Returns the schedule and when its next snapshot is due. */
export const getSnapshotSchedule = defineAccountOperation({
  name: 'getSnapshotSchedule',
  summary: 'Show how often the service makes a snapshot by itself, and when the next one is due.',
  example: {},
  command: { name: 'snapshots schedule' },
  tag: 'Operations',
  effect: 'read',
  input: {},
  output: SnapshotSchedule,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['no_data_directory'],
  isHeavy: true,
  handler: async ({ runtime }): Promise<SnapshotSchedule> => {
    const place = snapshotLocation.of(runtime);
    const { snapshots } = await snapshotsOfKeep(place);
    const newest = snapshots.find(({ is_scheduled }) => is_scheduled);
    const newest_id = newest?.snapshot_id ?? null;
    const settings = place.schedule;
    if (settings === undefined) return { every_secs: null, keep: null, due_at: null, newest_id };
    const dueMs = nextDueMs(snapshots, settings, runtime.clock.now());
    return {
      every_secs: settings.everyMs / 1_000,
      keep: settings.keep,
      due_at: new Date(dueMs).toISOString(),
      newest_id,
    };
  },
});
