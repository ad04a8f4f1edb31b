/**
 * `getSnapshotSchedule`: how the service makes snapshots by itself.
 */
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { snapshotLocation, snapshotsOfKeep } from '../keep-snapshots.js';
import { SnapshotSchedule } from '../schema.js';
import { nextDueMs } from './snapshot-schedule-policy.js';

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
