/** `createSnapshot`: makes a consistent copy of the store beside the data. */
import { defineAccountOperation } from '../../kernel/operation/define-operation.js';
import { accountChecks } from '../../kernel/operation/orders-of-checks.js';
import { snapshotKeep, snapshotLocation } from './keep-snapshots.js';
import { Snapshot } from './schema.js';

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
