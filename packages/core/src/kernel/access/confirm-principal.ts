/** Compares a caller with the current state of its proof, inside its own transaction. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { hasRole } from './authorize.js';
import type { Principal } from './principal.js';

/**
 * Returns the caller of a read as it is now.
 *
 * @throws {AgentkeepError} `unauthorized` when the proof ended, as for any later call; `forbidden`
 * when it lost the role that was checked.
 */
export function requireReader(seen: Principal, current: Principal | undefined): Principal {
  if (current === undefined) throw new AgentkeepError('unauthorized');
  if (seen.role !== null && !hasRole(current, seen.role)) throw new AgentkeepError('forbidden');
  return current;
}

/**
 * Returns the caller of a write as it is now.
 *
 * @throws {AgentkeepError} when the proof ended: `forbidden` for an account, else `unauthorized`.
 */
export function requireProved(seen: Principal, current: Principal | undefined): Principal {
  if (current !== undefined) return current;
  throw new AgentkeepError(seen.kind === 'account' ? 'forbidden' : 'unauthorized');
}

/**
 * Returns the caller of a write if its role and its credential's revision are those that were
 * checked.
 *
 * @throws {AgentkeepError} `revision_conflict`; `forbidden` when the proof of an account ended.
 */
export function requireUnchanged(seen: Principal, current: Principal | undefined): Principal {
  if (current === undefined) {
    throw new AgentkeepError(seen.kind === 'account' ? 'forbidden' : 'revision_conflict');
  }
  const isSame =
    current.role === seen.role &&
    current.credential?.revision === seen.credential?.revision &&
    current.global?.revision === seen.global?.revision;
  if (!isSame) throw new AgentkeepError('revision_conflict');
  return current;
}
