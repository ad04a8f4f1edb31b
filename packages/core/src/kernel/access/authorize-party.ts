/**
 * Decides who may call an account operation, by role or by being an account at all, and which right
 * over an account a caller lacks (docs/contract/users.md#usr-15).
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Principal } from './principal.js';
import type { AdminRole } from './role.js';

/** Requires a role in the caller's authority. */
interface RoleRequirement {
  /** The least role. */
  readonly role: AdminRole;
  /** Whether that authority must be the installation. */
  readonly isInstallation?: boolean;
  readonly party?: never;
}

/** Requires a kind of party. */
interface KindRequirement {
  readonly role?: never;
  readonly isInstallation?: never;
  /**
   * - `account`: any account, for its own resources
   * - `login`: an account in a session; an API key is not enough
   * - `session`: an account in a session; any other caller is `unauthorized`
   * - `self`: any account for itself, and an administrator for others
   */
  readonly party: 'account' | 'login' | 'session' | 'self';
}

/** What an account operation requires of its caller. */
export type PartyRequirement = RoleRequirement | KindRequirement;

/**
 * Refuses a principal that an operation is not for.
 *
 * @throws {AgentkeepError} `forbidden`; `unauthorized` where only a session counts as a proof.
 */
export function authorizeParty(principal: Principal, requirement: PartyRequirement): void {
  if (isCovered(principal, requirement)) return;
  if (requirement.party === 'session') throw new AgentkeepError('unauthorized');
  throw new AgentkeepError('forbidden', { message: messageOf(requirement, principal) });
}

function messageOf(
  { role, isInstallation = false, party }: PartyRequirement,
  caller: Principal,
): string {
  const isOfTenant = caller.kind === 'credential' && caller.authority.kind === 'tenant';
  // Such a credential has the role by this capability.
  if (isOfTenant && role === 'Admin' && !isInstallation) {
    return 'This operation needs the capability credential_admin. Ask an administrator of the tenant.';
  }
  if (role !== undefined) {
    const where = isInstallation ? ' of the installation' : '';
    return `This operation needs the role ${role}${where}. Ask someone who has it.`;
  }
  return party === 'login'
    ? 'This operation is for an account in a session. Log in with name and password.'
    : 'This operation is for accounts. Log in, or send an API key of an account.';
}

/** Returns the name of the required right in the audit log. */
export function rightOfParty({ role: held }: Principal, { role, party }: PartyRequirement): string {
  if (role !== undefined) return rightOfRole(role);
  return party === 'self' && held !== null ? rightOfRole(held) : 'self';
}

/** Returns whether a principal has a role, or one that includes it. */
export function hasRole({ role: held }: Principal, role: AdminRole): boolean {
  return held === 'SuperAdmin' || held === role;
}

function isCovered(principal: Principal, requirement: PartyRequirement): boolean {
  if (requirement.party === undefined) {
    const { role, isInstallation = false } = requirement;
    return hasRole(principal, role) && (!isInstallation || principal.authority.kind === 'global');
  }
  switch (requirement.party) {
    case 'account':
      return principal.kind === 'account';
    case 'login':
    case 'session':
      return isInSession(principal);
    case 'self':
      return principal.kind === 'account' || principal.role !== null;
  }
}

function rightOfRole(role: AdminRole): string {
  return role === 'Admin' ? 'admin' : 'super_admin';
}

function isInSession(principal: Principal): boolean {
  return principal.kind === 'account' && principal.presence.kind === 'session';
}

/** A caller that manages accounts. */
export interface Manager {
  /** Its role in the authority of the accounts. */
  readonly role: AdminRole | null;
  /** Whether it is a credential, whose rights don't come from a role. */
  readonly isCredential: boolean;
}

/** The traits of an account that decide who may manage it. */
export interface ManagedAccount {
  readonly roles: readonly string[];
  /** Whether it acts with a credential that issues others, or with one of the installation. */
  readonly isPrivileged: boolean;
}

/** A right, as the audit log names it. */
export type ManagementRight = 'admin' | 'super_admin';

/** Returns the missing right to manage an account, or `undefined`. */
export function missingRight(
  { role, isCredential }: Manager,
  { roles, isPrivileged }: ManagedAccount,
): ManagementRight | undefined {
  if (role === null) return 'admin';
  if (role === 'SuperAdmin') return undefined;
  // Otherwise a role could take over what only a credential was trusted with.
  const isBeyondRole = isPrivileged && !isCredential;
  return hasAdminRole(roles) || isBeyondRole ? 'super_admin' : undefined;
}

/**
 * Returns the missing right to give an account these roles. Removing roles needs no more than
 * managing it.
 */
export function missingRightToGrant(
  { role }: Manager,
  roles: readonly string[],
): ManagementRight | undefined {
  return hasAdminRole(roles) && role !== 'SuperAdmin' ? 'super_admin' : undefined;
}

/**
 * Returns whether a caller may bind a new account of an authority, given as the tenant part of
 * keys, to a credential: the caller must be able to issue such credentials itself.
 */
export function mayBindCredential(
  { credential, global }: Pick<Principal, 'credential' | 'global'>,
  target: string,
): boolean {
  if (global !== null) return global.isMaster;
  if (credential?.tenantId !== target) return false;
  return credential.spec.capabilities.includes('credential_admin');
}

function hasAdminRole(roles: readonly string[]): boolean {
  const withRights: readonly AdminRole[] = ['Admin', 'SuperAdmin'];
  return withRights.some((role) => roles.includes(role));
}
