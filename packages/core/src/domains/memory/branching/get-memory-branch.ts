/** `getMemoryBranch`: shows one branch. */
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { namesBranch } from './branch-operation.js';
import { BranchResponse } from './branch-schema.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { showBranch, shownBranch } from './show-branch.js';

/** Shows it to who may read all of its scopes. */
export const getMemoryBranch = defineTenantOperation({
  ...namesBranch,
  name: 'getMemoryBranch',
  summary: 'Show a branch of memory.',
  example: { id: exampleId, parameters: exampleVersion },
  effect: 'read',
  output: BranchResponse,
  requires: { capability: 'memory_read' },
  handler: async ({ runtime, credential, input, nowMs }) => {
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const found = await runtime.store.read((tx) => shownBranch(tx, credential, input.id, nowMs));
    return { contract_version: CONTRACT_VERSION, branch: showBranch(found, cursors) };
  },
});
