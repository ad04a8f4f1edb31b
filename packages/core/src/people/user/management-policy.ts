/** Decides which right over an account a caller lacks (docs/contract/users.md#usr-15). */
import type { Principal } from '../../access/principal.js';
import type { AdminRole } from '../../access/role.js';

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
