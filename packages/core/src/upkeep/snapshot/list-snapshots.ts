/**
 * `listSnapshots`: the complete snapshots of the service.
 */
import { defineAccountOperation } from '../../kernel/operation/define-operation.js';
import { accountChecks } from '../../kernel/operation/orders-of-checks.js';
import { snapshotLocation, snapshotsOfKeep } from './keep-snapshots.js';
import { SnapshotList } from './schema.js';

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
