/** The steps that take an erased scope or subject out of branches and proposals. */
import { putErasureMark } from '../../../kernel/erased/erasure-mark-store.js';
import { branchOf, type Namespace, type NamespaceParts } from '../../../kernel/access/namespace.js';
import {
  branchSpacesOf,
  findStoredBranch,
  type KeyedBranch,
  putBranch,
  removeBranch,
  memoryBranches,
} from '../branch/branch-store.js';
import {
  findProposal,
  type KeyedProposal,
  removeProposal,
  replaceProposal,
  memoryProposals,
} from '../branch/proposal-store.js';
import { ownerOf } from '../branch/live-branch.js';
import { ofWholeBranches } from '../branch/merge-store.js';
import { partsOfKey, trailingUuid } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { StoredErasure } from '../../../upkeep/stored/erasure-store.js';
import type { StoredTarget } from '../../../upkeep/stored/target.js';
import type { Step } from '../../../upkeep/erasure/slice.js';
import { isOfTarget } from '../../../upkeep/stored/target.js';

/** Rewrites the branches that name the scope, or that the subject made. */
const rewriteBranches: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId } = erasure;
  return slice.walk({ family: 'memoryBranches', tenant: tenantId }, from, ({ key, value }) => {
    const id = trailingUuid(key);
    const before = { ...memoryBranches.open(key, value), id };
    const after = withoutTarget(before, erasure);
    if (after === before) return;
    if (after.scopes.length === 0) removeBranch(tx, tenantId, id);
    else putBranch(tx, tenantId, after);
    slice.count('memoryBranches', key);
  });
};

/**
 * Withdraws the undecided proposals of the subject, so that they can't be merged. Their records go
 * with the marked namespaces.
 */
export const withdrawProposals: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId, target } = erasure;
  if (target?.kind !== 'subject') return undefined;
  return slice.walk({ family: 'memoryProposals', tenant: tenantId }, from, ({ key, value }) => {
    const id = trailingUuid(key);
    const proposal = { ...memoryProposals.open(key, value), id };
    const isOwn = proposal.author.subject_id === target.subject_id;
    if (!isOwn || proposal.state !== 'proposed') return;
    const digests = branchSpacesOf(tx, tenantId, id);
    for (const digest of digests) putErasureMark(tx, erasure.id, tenantId, digest);
    slice.use(digests.length);
    removeProposal(tx, tenantId, proposal);
    slice.count('memoryProposals', key);
  });
};

/** Rewrites the proposals that name the scope, or that the subject made or reviewed. */
const rewriteProposals: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId } = erasure;
  return slice.walk({ family: 'memoryProposals', tenant: tenantId }, from, ({ key, value }) => {
    const id = trailingUuid(key);
    const before = { ...memoryProposals.open(key, value), id };
    const after = withoutReviewer(withoutTarget(before, erasure), erasure);
    if (after === before) return;
    if (after.scopes.length === 0) removeProposal(tx, tenantId, before);
    else replaceProposal(tx, tenantId, before, after);
    slice.count('memoryProposals', key);
  });
};

function withoutReviewer(
  proposal: KeyedProposal,
  { target, pseudonym }: StoredErasure,
): KeyedProposal {
  const { reviewer } = proposal;
  if (target?.kind !== 'subject' || pseudonym === null) return proposal;
  if (reviewer?.subject_id !== target.subject_id) return proposal;
  return { ...proposal, reason: null, reviewer: { ...reviewer, subject_id: pseudonym } };
}

function withoutTarget<B extends KeyedBranch>(branch: B, { target, pseudonym }: StoredErasure): B {
  if (target === null) return branch;
  if (isOwnedBy(branch.scopes, target)) return { ...branch, scopes: [] };
  if (target.kind === 'subject') {
    if (branch.author.subject_id !== target.subject_id || pseudonym === null) return branch;
    const author = { ...branch.author, subject_id: pseudonym };
    // Its id, because a name tells one branch of an author from another.
    return { ...branch, name: branch.id, purpose: null, author };
  }
  const scopes = branch.scopes.filter((parts) => !isOfTarget(parts, target));
  return scopes.length === branch.scopes.length ? branch : { ...branch, scopes };
}

/** Whether a branch over these scopes belongs to a subject, and goes with what is private of it. */
function isOwnedBy(scopes: readonly NamespaceParts[], target: StoredTarget): boolean {
  return scopes.some((parts) => ownerOf({ scopes: [parts] }) !== null && isOfTarget(parts, target));
}

/** Returns whether a namespace is in a branch that goes whole. */
export function isInBranchOf(
  tx: ReadTx,
  { tenantId, parts }: Pick<Namespace, 'tenantId' | 'parts'>,
  target: StoredTarget,
): boolean {
  const id = branchOf(parts);
  const branch = id === undefined ? undefined : findStoredBranch(tx, tenantId, id);
  return branch !== undefined && isOwnedBy(branch.scopes, target);
}

/** Removes what is left of the writes and merges of branches that are gone. */
function removeOfGone({ name: family, shape }: (typeof ofWholeBranches)[number]): Step {
  return (slice, from) => {
    const { tx, erasure } = slice;
    const { tenantId } = erasure;
    return slice.walk({ family, tenant: tenantId }, from, (entry) => {
      const id = String(partsOfKey(shape, entry.key)[0]);
      const isThere =
        findStoredBranch(tx, tenantId, id) !== undefined ||
        findProposal(tx, tenantId, id) !== undefined;
      if (!isThere) slice.remove(family, entry);
    });
  };
}

/** What branches have of the target, apart from what its namespaces hold. */
export const branchSteps: readonly Step[] = [
  rewriteBranches,
  rewriteProposals,
  ...ofWholeBranches.map(removeOfGone),
];
