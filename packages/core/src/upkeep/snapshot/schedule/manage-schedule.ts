/** The operations that show and store the schedule of snapshots. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import {
  directoryOf,
  type SnapshotLocation,
  snapshotLocation,
  snapshotsOfKeep,
} from '../keep-snapshots.js';
import { SnapshotSchedule, SnapshotScheduleRequest } from '../schema.js';
import {
  findSchedule,
  putSchedule,
  scheduleInForce,
  type StoredSchedule,
} from './schedule-store.js';
import { nextDueMs, type ScheduleSettings } from './snapshot-options.js';

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
  handler: async ({ runtime }) => {
    const place = snapshotLocation.of(runtime);
    directoryOf(place);
    return showSchedule(runtime, place, await runtime.store.read(findSchedule));
  },
});

/** Replaces the stored schedule. An equal one changes nothing. */
export const setSnapshotSchedule = defineAccountOperation({
  name: 'setSnapshotSchedule',
  summary: 'Store how often the service makes a snapshot by itself, and how many it keeps.',
  example: { document: { every_secs: 21_600, keep: 8 } },
  command: {
    name: 'snapshots set-schedule',
    examples: ['agentkeep snapshots set-schedule --every-secs 21600 --keep 8'],
  },
  tag: 'Operations',
  input: { document: SnapshotScheduleRequest },
  whenFull: 'served',
  output: SnapshotSchedule,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['no_data_directory', 'revision_conflict'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, input } = request;
    const place = snapshotLocation.of(runtime);
    const { expected_revision: expected } = input.document;
    const setting = settingOf(input.document);
    const stored = await runtime.store.transact((tx) => {
      request.confirm(tx);
      directoryOf(place);
      const before = findSchedule(tx);
      if (expected !== undefined && expected !== before.revision) {
        throw new AgentkeepError('revision_conflict');
      }
      const after = {
        revision: before.revision + 1,
        ...(setting === undefined ? {} : { setting }),
      };
      if (isSame(before, after)) return before;
      putSchedule(tx, after);
      request.record(tx, scheduleChanged(before, after));
      return after;
    });
    return showSchedule(runtime, place, stored);
  },
});

function settingOf({ every_secs: every, keep }: SnapshotScheduleRequest) {
  return typeof every === 'number' ? { everyMs: every * 1_000, keep } : every;
}

function isSame({ setting: one }: StoredSchedule, { setting: other }: StoredSchedule): boolean {
  if (!one || !other) return one === other;
  return one.everyMs === other.everyMs && one.keep === other.keep;
}

async function showSchedule(
  { clock }: Pick<Runtime, 'clock'>,
  place: SnapshotLocation,
  stored: StoredSchedule,
): Promise<SnapshotSchedule> {
  const { snapshots } = await snapshotsOfKeep(place);
  const newest = snapshots.find(({ is_scheduled }) => is_scheduled);
  const inForce = scheduleInForce(stored, place.schedule);
  const dueMs = inForce && nextDueMs(snapshots, inForce, clock.now());
  return {
    ...shownSetting(inForce),
    due_at: dueMs === undefined ? null : new Date(dueMs).toISOString(),
    newest_id: newest?.snapshot_id ?? null,
    is_stored: stored.setting !== undefined,
    revision: stored.revision,
  };
}

function shownSetting(setting: ScheduleSettings | null | undefined) {
  return { every_secs: setting ? setting.everyMs / 1_000 : null, keep: setting?.keep ?? null };
}

/** Returns the event of a schedule that was stored, changed or left to the options again. */
function scheduleChanged(before: StoredSchedule, after: StoredSchedule): EventSubject {
  const shown = ({ setting }: StoredSchedule) =>
    setting === undefined ? null : shownSetting(setting);
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: 'snapshot_schedule',
    result: 'success',
    metadata: { before: shown(before), after: shown(after) },
  };
}
