/** The one place that decides whether a namespace of a branch can be used. */
import { branchOf, type Namespace, type NamespaceParts } from '../../access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../storage/store/store.js';
import { findStoredBranch, type KeyedBranch, type StoredBranch } from './branch-store.js';
import { findProposal, type StoredProposal } from './proposal-store.js';

/** The parts of a namespace that are its scope: all but the private subject and the branch. */
const SCOPE_PARTS = [0, 1, 2, 3] as const;

/** Returns whether a branch has not ended. */
export function isLive({ endsAtMillis }: StoredBranch, nowMs: number): boolean {
  return nowMs < endsAtMillis;
}

/** Returns whether a branch is a proposal, which takes no commands. */
export function isProposal<B extends StoredBranch>(branch: B): branch is B & StoredProposal {
  return 'proposedAtMillis' in branch;
}

/** Returns a branch or a proposal that waits, ended or not, or `undefined`. */
export function findOpen(tx: ReadTx, tenantId: string, id: string): KeyedBranch | undefined {
  const found = findStoredOpen(tx, tenantId, id);
  return found && { ...found, id };
}

function findStoredOpen(tx: ReadTx, tenantId: string, id: string): StoredBranch | undefined {
  const branch = findStoredBranch(tx, tenantId, id);
  if (branch !== undefined) return branch;
  const proposal = findProposal(tx, tenantId, id);
  return proposal?.state === 'proposed' ? proposal : undefined;
}

/** Returns whether a branch is over a scope. */
export function isOver({ scopes }: StoredBranch, parts: NamespaceParts): boolean {
  return scopes.some((scope) => SCOPE_PARTS.every((at) => scope[at] === parts[at]));
}

/**
 * Returns the branch of a namespace, or `undefined` for one of no branch.
 *
 * @throws {AgentkeepError} `branch_not_found` when it has ended, or isn't over the scope.
 */
export function liveBranch(
  tx: ReadTx,
  { tenantId, parts }: Namespace,
  nowMs: number,
): StoredBranch | undefined {
  const id = branchOf(parts);
  if (id === undefined) return undefined;
  const found = findStoredOpen(tx, tenantId, id);
  if (found === undefined || !isLive(found, nowMs) || !isOver(found, parts)) {
    throw new AgentkeepError('branch_not_found');
  }
  return found;
}
