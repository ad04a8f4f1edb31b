/** `dropMemoryBranch`: ends a branch. */
import { sweepMemory } from '../retention/sweep-port.js';
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { WRITING_IN_BRANCHES } from '../branch/branch-policy.js';
import { putBranch } from '../branch/branch-store.js';
import { noteEnded } from '../branch/ended-store.js';
import { isProposal } from '../branch/live-branch.js';
import { endWaiting } from '../branch/proposal-store.js';
import { requireWritable } from '../writing/branch-base.js';
import { namesBranch } from './branch-operation.js';
import { DroppedBranchResponse } from './branch-schema.js';
import { requireAuthor } from './review.js';
import { shownBranch } from './show-branch.js';

/**
 * Nothing reads it from the commit on. Its entries are removed in slices, in the background.
 * Its author withdraws a proposal so.
 */
export const dropMemoryBranch = defineTenantOperation({
  ...namesBranch,
  name: 'dropMemoryBranch',
  summary: 'End a branch of memory, with everything in it.',
  example: { id: exampleId, parameters: exampleVersion },
  command: { name: 'memory drop-branch' },
  output: DroppedBranchResponse,
  requires: { capability: WRITING_IN_BRANCHES },
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, input, nowMs } = request;
    await runtime.store.transact((tx) => {
      const credential = request.confirm(tx);
      const found = shownBranch(tx, credential, input.id, nowMs);
      requireWritable(found, credential);
      if (isProposal(found)) {
        requireAuthor(found, credential);
        endWaiting(tx, credential.tenantId, found);
        return;
      }
      noteEnded(tx, credential.tenantId, found);
      // A clock that is set back doesn't bring it to life again.
      putBranch(tx, credential.tenantId, { ...found, endsAtMillis: 0 });
    });
    sweepMemory.of(runtime)();
    return { contract_version: CONTRACT_VERSION, dropped: true as const };
  },
});
