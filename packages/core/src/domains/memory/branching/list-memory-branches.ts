/** `listMemoryBranches`: pages through the branches that the caller may read. */
import { exampleVersion } from '../../../contract/example-values.js';
import { isUuid } from '../../../contract/schema/uuid.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { PageParameters } from '../../../kernel/lists/page-parameters.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { branchesAfter, type KeyedBranch } from '../branch/branch-store.js';
import { BranchesResponse } from './branch-schema.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { isShownTo, showBranch } from './show-branch.js';

/** Branches that one look reads. */
const LOOKED_AT_ONCE = 64;

/** The oldest ones first. Pages reflect concurrent changes. */
export const listMemoryBranches = defineTenantOperation({
  name: 'listMemoryBranches',
  summary: 'List the branches of memory that the caller may read.',
  example: { parameters: exampleVersion },
  command: {
    name: 'memory branches',
    columns: ['id', 'name', 'author.subject_id', 'ends_at_millis', 'purpose'],
  },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: PageParameters },
  output: BranchesResponse,
  requires: { capability: 'memory_read' },
  checks: inputFirstChecks,
  isHeavy: true,
  handler: async ({ runtime, credential, input, nowMs }) => {
    const { tenantId } = credential;
    const cursors = await cursorsOf(runtime, credential.tenantId);
    return listDirectory(runtime.store, input.parameters, {
      identity: { list: 'branches', tenantId },
      read: (tx, page) =>
        shownAfter(tx, tenantId, page, (branch) => isShownTo(branch, credential, nowMs)),
      show: (_tx, branch) => showBranch(branch, cursors),
      placeOf: ({ id }) => id,
      isPlace: isUuid,
    });
  },
});

/** A tenant has few live branches, and ended ones are swept, so the walk is short. */
function shownAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
  isShown: (branch: KeyedBranch) => boolean,
): KeyedBranch[] {
  const shown: KeyedBranch[] = [];
  for (let from = after; ;) {
    const looked = branchesAfter(tx, tenantId, from, LOOKED_AT_ONCE);
    shown.push(...looked.filter(isShown));
    from = looked.at(-1)?.id;
    if (looked.length < LOOKED_AT_ONCE || shown.length >= limit) return shown.slice(0, limit);
  }
}
