/** The one place that decides whether a namespace of a branch can be used. */
import {
  branchOf,
  type Namespace,
  type NamespaceParts,
  scopeDigest,
} from '../../access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../storage/store/store.js';
import { findBranch, type KeyedBranch } from './branch-store.js';

/** Returns whether a branch has not ended. */
export function isLive({ endsAtMillis }: KeyedBranch, nowMs: number): boolean {
  return nowMs < endsAtMillis;
}

/** Returns whether a branch is over a scope. */
export function isOver({ scopes }: KeyedBranch, parts: NamespaceParts): boolean {
  const digest = Buffer.from(scopeDigest(parts));
  return scopes.some((scope) => digest.equals(scopeDigest(scope)));
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
): KeyedBranch | undefined {
  const id = branchOf(parts);
  if (id === undefined) return undefined;
  const found = findBranch(tx, tenantId, id);
  if (found === undefined || !isLive(found, nowMs) || !isOver(found, parts)) {
    throw new AgentkeepError('branch_not_found');
  }
  return found;
}
