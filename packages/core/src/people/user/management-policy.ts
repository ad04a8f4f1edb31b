/**
 * Decides which right over an account a caller lacks (contract, accounts-security 4).
 *
 * @module
 */
import type { Principal } from '../../access/principal.js';
import type { AdminRole } from '../../access/role.js';

/** A caller that manages accounts. */
export interface Manager {
  /** Its role in the authority of the accounts. */
  readonly role: AdminRole | null;
  /** Whether it is a credential and no account, so that its rights do not come from a role. */
  readonly isCredential: boolean;
}

/** An account, as far as it matters who may manage it. */
export interface ManagedAccount {
  readonly roles: readonly string[];
  /** Whether it acts with a credential that issues others, or with one of the installation. */
  readonly isPrivileged: boolean;
}

/** A right, as the audit log names it. */
export type ManagementRight = 'admin' | 'super_admin';

/** The right to manage an account that is missing; `undefined` when none is. */
export function missingRight(
  { role, isCredential }: Manager,
  { roles, isPrivileged }: ManagedAccount,
): ManagementRight | undefined {
  if (role === null) return 'admin';
  if (role === 'SuperAdmin') return undefined;
  // Or a role could take over what only a credential was trusted with.
  const isBeyondRole = isPrivileged && !isCredential;
  return hasAdminRole(roles) || isBeyondRole ? 'super_admin' : undefined;
}

/** The right that is missing to let an account have these roles; to take some is to manage it. */
export function missingRightToGrant(
  { role }: Manager,
  roles: readonly string[],
): ManagementRight | undefined {
  return hasAdminRole(roles) && role !== 'SuperAdmin' ? 'super_admin' : undefined;
}

/**
 * Whether a caller may bind a new account of an authority, given as the tenant part of keys, to a
 * credential: it has to act with the power to issue such credentials itself.
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
