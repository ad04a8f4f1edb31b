/** Branches as answers show them, to who has the rights on all of their scopes. */
import { coversScope } from '../../access/grant-policy.js';
import { type NamespaceParts } from '../../access/namespace.js';
import type { ActingCredential } from '../../access/principal.js';
import type { Scope } from '../../access/scope.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../storage/store/store.js';
import { findBranch, type KeyedBranch } from '../branch/branch-store.js';
import { isLive } from '../branch/live-branch.js';
import type { ChangeCursors } from '../journal/change-cursor.js';
import type { MemoryBranch } from './branch-schema.js';

/** Returns whether a branch is live, and all of its scopes are those of a credential. */
export function isShownTo(branch: KeyedBranch, { spec }: ActingCredential, nowMs: number): boolean {
  return isLive(branch, nowMs) && branch.scopes.every((each) => coversScope(spec, scopeIn(each)));
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
  const found = findBranch(tx, credential.tenantId, id);
  if (found !== undefined && isShownTo(found, credential, nowMs)) return found;
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
    scopes: scopes.map(scopeIn),
    position: cursors.seal(Buffer.from(position, 'hex')),
    created_at_millis: createdAtMillis,
    ends_at_millis: endsAtMillis,
    purpose,
    author,
  };
}

/** Returns the scope of the parts of a branch. */
export function scopeIn([project_id, mission_id, agent_id, visibility]: NamespaceParts): Scope {
  return { project_id, mission_id, agent_id, visibility: visibility as Scope['visibility'] };
}
