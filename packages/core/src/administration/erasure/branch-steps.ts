/** The steps that take an erased scope or subject out of branches and proposals. */
import { isInScope } from '../../access/covered-scope.js';
import {
  branchSubspaces,
  type KeyedBranch,
  putBranch,
  removeBranch,
} from '../../memory/branch/branch-store.js';
import {
  type KeyedProposal,
  proposalSubspaces,
  removeProposal,
  replaceProposal,
} from '../../memory/branch/proposal-store.js';
import { trailingUuid } from '../../storage/store/key.js';
import type { StoredErasure } from './erasure-store.js';
import type { Step } from './slice.js';

/** Rewrites the branches that name the scope, or that the subject made. */
const rewriteBranches: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId } = erasure;
  return slice.walk({ family: 'memoryBranches', tenant: tenantId }, from, ({ key, value }) => {
    const id = trailingUuid(key);
    const before = { ...branchSubspaces.memoryBranches.open(key, value), id };
    const after = withoutTarget(before, erasure);
    if (after === before) return;
    if (after.scopes.length === 0) removeBranch(tx, tenantId, id);
    else putBranch(tx, tenantId, after);
    slice.count('memoryBranches', key);
  });
};

/** Rewrites the proposals that name the scope, or that the subject made or reviewed. */
const rewriteProposals: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId } = erasure;
  return slice.walk({ family: 'memoryProposals', tenant: tenantId }, from, ({ key, value }) => {
    const id = trailingUuid(key);
    const before = { ...proposalSubspaces.memoryProposals.open(key, value), id };
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
  if (target?.kind === 'subject') {
    if (branch.author.subject_id !== target.subject_id || pseudonym === null) return branch;
    return { ...branch, purpose: null, author: { ...branch.author, subject_id: pseudonym } };
  }
  // The private scope of one subject leaves the branches of the others as they are.
  if (target?.kind !== 'scope' || target.subject_id !== null) return branch;
  const scopes = branch.scopes.filter((parts) => !isInScope(parts, target.scope));
  return scopes.length === branch.scopes.length ? branch : { ...branch, scopes };
}

/** What branches have of the target, apart from what its namespaces hold. */
export const branchSteps: readonly Step[] = [rewriteBranches, rewriteProposals];
