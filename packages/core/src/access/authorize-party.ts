/**
 * Who may call an operation of the account surface: weighed by role, or by being an account at all.
 *
 * @module
 */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import type { Principal } from './principal.js';
import type { AdminRole } from './role.js';

/** What an operation of the account surface asks of its caller. */
export interface PartyRequirement {
  /** The least role in the caller's authority. */
  readonly role?: AdminRole;
  /** Whether that authority has to be the installation. */
  readonly isInstallation?: boolean;
  /**
   * - `account`: any account, for what is its own
   * - `login`: an account in a session, not by an API key
   * - `session`: an account in a session; anybody else counts as unproved
   * - `self`: any account for itself, and an administrator for others
   */
  readonly party?: 'account' | 'login' | 'session' | 'self';
}

/**
 * Refuses a principal that an operation is not for.
 *
 * @throws {AgentkeepError} `forbidden`; `unauthorized` where only a session counts as a proof.
 */
export function authorizeParty(principal: Principal, requirement: PartyRequirement): void {
  const { role, isInstallation, party } = requirement;
  if (role !== undefined && !hasRole(principal, role)) throw new AgentkeepError('forbidden');
  if (isInstallation === true && principal.authority.kind !== 'global') {
    throw new AgentkeepError('forbidden');
  }
  switch (party) {
    case undefined:
      return;
    case 'session':
      if (isInSession(principal)) return;
      throw new AgentkeepError('unauthorized');
    case 'account':
      if (principal.kind === 'account') return;
      throw new AgentkeepError('forbidden');
    case 'login':
      if (isInSession(principal)) return;
      throw new AgentkeepError('forbidden');
    case 'self':
      if (principal.kind === 'account' || principal.role !== null) return;
      throw new AgentkeepError('forbidden');
  }
}

/** The right that an operation of the account surface is about, as the audit log names it. */
export function rightOfParty({ role: held }: Principal, { role, party }: PartyRequirement): string {
  if (role !== undefined) return rightOfRole(role);
  return party === 'self' && held !== null ? rightOfRole(held) : 'self';
}

/** The right that comes with a role, as the audit log names it. */
function rightOfRole(role: AdminRole): string {
  return role === 'Admin' ? 'admin' : 'super_admin';
}

/** Whether a principal has a role, or the one that includes it. */
export function hasRole({ role: held }: Principal, role: AdminRole): boolean {
  return held === 'SuperAdmin' || held === role;
}

function isInSession(principal: Principal): boolean {
  return principal.kind === 'account' && principal.presence.kind === 'session';
}
