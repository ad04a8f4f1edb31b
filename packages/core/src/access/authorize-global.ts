/**
 * Where the authority of the installation is weighed: which principals its operations are for, and
 * whether one of them has the capability (contract, administration 1.6).
 *
 * @module
 */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import type { GlobalCapability } from './global-capability.js';
import type { ActingGlobalCredential, Principal } from './principal.js';

/** What an operation of the installation asks of its caller: a capability, or to be the master. */
export type GlobalRequirement = GlobalCapability | 'master' | 'any';

/**
 * The credential of the installation that the principal acts with.
 *
 * @throws {AgentkeepError} `forbidden` for a tenant's principal and for an account without one.
 */
export function globalCredentialOf({ global }: Principal): ActingGlobalCredential {
  if (global === null) throw new AgentkeepError('forbidden');
  return global;
}

/**
 * Keeps principals of the installation out of what belongs to a tenant; they prove nothing there.
 *
 * @throws {AgentkeepError} `unauthorized`
 */
export function refuseGlobalPrincipal(principal: Principal): void {
  if (principal.global !== null || isGlobalSession(principal)) {
    throw new AgentkeepError('unauthorized');
  }
}

/**
 * The credential of the installation that the principal acts with, if it covers the requirement.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function authorizeGlobal(
  principal: Principal,
  requirement: GlobalRequirement,
): ActingGlobalCredential {
  const credential = globalCredentialOf(principal);
  if (!covers(credential, requirement)) throw new AgentkeepError('forbidden');
  return credential;
}

/** The right that a requirement is about, as the audit log names it. */
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

/** An opaque session is of its authority even if its account acts with no credential. */
function isGlobalSession(principal: Principal): boolean {
  if (principal.kind !== 'account' || principal.authority.kind !== 'global') return false;
  const { presence } = principal;
  return presence.kind === 'session' && presence.jti === undefined;
}
