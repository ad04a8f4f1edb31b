/** The one place that decides whether a namespace of a branch can be used. */
import { branchOf, type Namespace, type NamespaceParts } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findStoredBranch, type KeyedBranch, type StoredBranch } from './branch-store.js';
import { findProposal, type StoredProposal } from './proposal-store.js';

/** The parts of a namespace that say what it is in: all but the branch. */
const BASE_PARTS = [0, 1, 2, 3, 4] as const;

/** Who uses a branch, and when. */
export interface BranchUse {
  readonly subjectId: string;
  readonly nowMs: number;
}

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

/** Returns whether a branch is over a scope, which for a private one is that of its subject. */
export function isOver({ scopes }: StoredBranch, parts: NamespaceParts): boolean {
  return scopes.some((scope) => BASE_PARTS.every((at) => scope[at] === parts[at]));
}

/** Returns the subject that a branch over a private scope belongs to; null for any other. */
export function ownerOf({ scopes }: Pick<StoredBranch, 'scopes'>): string | null {
  return scopes.find(([, , , , owner]) => owner !== null)?.[4] ?? null;
}

/** Returns whether a subject may use a branch, as far as that depends on who owns it. */
function isFor(branch: StoredBranch, subjectId: string): boolean {
  const owner = ownerOf(branch);
  return owner === null || owner === subjectId;
}

/** Returns whether a namespace is in a branch that belongs to another subject. */
export function isInForeignBranch(
  tx: ReadTx,
  { tenantId, parts }: Pick<Namespace, 'tenantId' | 'parts'>,
  subjectId: string,
): boolean {
  const id = branchOf(parts);
  const found = id === undefined ? undefined : findStoredBranch(tx, tenantId, id);
  return found !== undefined && !isFor(found, subjectId);
}

/**
 * Returns the branch of a namespace, or `undefined` for one of no branch.
 *
 * @throws {AgentkeepError} `branch_not_found` when it has ended, belongs to another subject, or
 * isn't over the scope.
 */
export function liveBranch(
  tx: ReadTx,
  { tenantId, parts }: Namespace,
  { subjectId, nowMs }: BranchUse,
): StoredBranch | undefined {
  const id = branchOf(parts);
  if (id === undefined) return undefined;
  const found = findStoredOpen(tx, tenantId, id);
  const isThere = found !== undefined && isLive(found, nowMs) && isOver(found, parts);
  if (!isThere || !isFor(found, subjectId)) {
    throw new AgentkeepError('branch_not_found');
  }
  return found;
}
