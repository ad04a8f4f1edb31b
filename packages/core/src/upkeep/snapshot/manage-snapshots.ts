/** The operations that create and list snapshots. */
import { defineAccountOperation } from '../../kernel/operation/define-operation.js';
import { accountChecks } from '../../kernel/operation/orders-of-checks.js';
import { snapshotKeep, snapshotLocation, snapshotsOfKeep } from './keep-snapshots.js';
import { Snapshot, SnapshotList } from './schema.js';

/** Answers once the snapshot is complete and durable. Other calls aren't blocked. */
export const createSnapshot = defineAccountOperation({
  name: 'createSnapshot',
  summary: 'Make a snapshot of the whole service, which stays online.',
  example: {},
  command: { name: 'snapshots create' },
  tag: 'Operations',
  input: {},
  whenFull: 'served',
  output: Snapshot,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['snapshot_in_progress', 'no_data_directory'],
  handler: ({ runtime }) => snapshotKeep(snapshotLocation.of(runtime), runtime),
});

/** Lists the newest first, without unfinished ones. */
export const listSnapshots = defineAccountOperation({
  name: 'listSnapshots',
  summary: 'List the complete snapshots, newest first.',
  example: {},
  command: { name: 'snapshots list' },
  tag: 'Operations',
  effect: 'read',
  input: {},
  output: SnapshotList,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['no_data_directory'],
  isHeavy: true,
  handler: ({ runtime }) => snapshotsOfKeep(snapshotLocation.of(runtime)),
});
