/**
 * Decides who may call an operation of the installation: which principals, and with which
 * capability (docs/contract/installation.md#ins-47).
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { GlobalCapability } from './global-capability.js';
import type { ActingGlobalCredential, Principal } from './principal.js';

/** What an operation of the installation requires of its caller: a capability, or the master. */
export type GlobalRequirement = GlobalCapability | 'master' | 'any';

/**
 * Returns the credential of the installation that the principal acts with.
 *
 * @throws {AgentkeepError} `forbidden` for principals of tenants and for accounts without one.
 */
function globalCredentialOf({ global }: Principal): ActingGlobalCredential {
  if (global === null) throw new AgentkeepError('forbidden', { message: NO_CREDENTIAL });
  return global;
}

const NO_CREDENTIAL =
  'This operation is for credentials of the installation, and the caller acts with none. ' +
  'Send the secret of one.';

/**
 * Refuses principals that act with a credential of the installation in operations of tenants, where
 * their proofs do not count. An account without a credential lacks authority, which is another
 * refusal.
 *
 * @throws {AgentkeepError} `unauthorized`
 */
export function refuseGlobalPrincipal(principal: Principal): void {
  if (principal.global !== null) throw new AgentkeepError('unauthorized');
}

/**
 * Returns the credential of the installation that the principal acts with, if it covers the
 * requirement.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function authorizeGlobal(
  principal: Principal,
  requirement: GlobalRequirement,
): ActingGlobalCredential {
  const credential = globalCredentialOf(principal);
  if (covers(credential, requirement)) return credential;
  const message =
    requirement === 'master'
      ? 'This operation is for the master of the installation. Send its secret.'
      : `The credential lacks the capability \`${requirement}\` of the installation. ` +
        'Ask its master for a credential that has it.';
  throw new AgentkeepError('forbidden', { message });
}

/** Returns the name of the required right in the audit log. */
export function rightOfGlobal(requirement: GlobalRequirement): string {
  return requirement === 'any' || requirement === 'master' ? 'authority' : requirement;
}

function covers(
  { isMaster, spec }: ActingGlobalCredential,
  requirement: GlobalRequirement,
): boolean {
  if (requirement === 'any') return true;
  return requirement === 'master' ? isMaster : spec.capabilities.includes(requirement);
}
