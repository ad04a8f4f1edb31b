/** Branches as answers show them, to who has the rights on all of their scopes. */
import { coveredScope, scopeOfParts } from '../../../kernel/access/covered-scope.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { KeyedBranch } from '../branch/branch-store.js';
import { findOpen, isLive } from '../branch/live-branch.js';
import { findProposal, type KeyedProposal } from '../branch/proposal-store.js';
import type { ChangeCursors } from '../journal/change-cursor.js';
import type { MemoryBranch } from './branch-schema.js';

/** Returns whether a branch is live, and all of its scopes are those of a credential. */
export function isShownTo(
  branch: KeyedBranch,
  credential: ActingCredential,
  nowMs: number,
): boolean {
  return isLive(branch, nowMs) && isCovered(branch, credential);
}

/** Returns whether all scopes of a branch are those of a credential, and private ones its own. */
export function isCovered({ scopes }: KeyedBranch, credential: ActingCredential): boolean {
  return scopes.every((each) => coveredScope(credential, each) !== undefined);
}

/**
 * Returns a branch that a credential may see.
 *
 * @throws {AgentkeepError} `branch_not_found`
 */
export function shownBranch(
  tx: ReadTx,
  credential: ActingCredential,
  id: string,
  nowMs: number,
): KeyedBranch {
  const found = findOpen(tx, credential.tenantId, id);
  if (found !== undefined && isShownTo(found, credential, nowMs)) return found;
  throw new AgentkeepError('branch_not_found');
}

/** Returns a proposal, whatever was decided, that a credential may see. */
export function shownProposal(tx: ReadTx, credential: ActingCredential, id: string): KeyedProposal {
  const found = findProposal(tx, credential.tenantId, id);
  if (found !== undefined && isCovered(found, credential)) return found;
  throw new AgentkeepError('branch_not_found');
}

/** Shows a branch. */
export function showBranch(
  { id, name, scopes, position, createdAtMillis, endsAtMillis, purpose, author }: KeyedBranch,
  cursors: ChangeCursors,
): MemoryBranch {
  return {
    id,
    name,
    scopes: scopes.map(scopeOfParts),
    position: cursors.seal(Buffer.from(position, 'hex')),
    created_at_millis: createdAtMillis,
    ends_at_millis: endsAtMillis,
    purpose,
    author,
  };
}
