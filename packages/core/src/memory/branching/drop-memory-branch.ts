/** `dropMemoryBranch`: ends a branch. */
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import { putBranch } from '../branch/branch-store.js';
import { namesBranch } from './branch-operation.js';
import { DroppedBranchResponse } from './branch-schema.js';
import { shownBranch } from './show-branch.js';

/** Nothing reads it from the commit on. Its entries are removed in slices, in the background. */
export const dropMemoryBranch = defineTenantOperation({
  ...namesBranch,
  name: 'dropMemoryBranch',
  summary: 'End a branch of memory, with everything in it.',
  output: DroppedBranchResponse,
  requires: { capability: 'memory_write' },
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, input, nowMs } = request;
    await runtime.store.transact((tx) => {
      const credential = request.confirm(tx);
      const found = shownBranch(tx, credential, input.id, nowMs);
      // A clock that is set back doesn't bring it to life again.
      putBranch(tx, credential.tenantId, { ...found, endsAtMillis: 0 });
    });
    runtime.sweepMemory();
    return { contract_version: CONTRACT_VERSION, dropped: true as const };
  },
});
