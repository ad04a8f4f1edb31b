/** Roles of accounts: two carry rights, all others are stored and shown only. */

/** A role that carries rights on the account surface; SuperAdmin includes Admin. */
export type AdminRole = 'Admin' | 'SuperAdmin';

/** The role with rights among the roles of an account; null when there is none. */
export function adminRoleOf(roles: readonly string[]): AdminRole | null {
  if (roles.includes('SuperAdmin')) return 'SuperAdmin';
  return roles.includes('Admin') ? 'Admin' : null;
}
