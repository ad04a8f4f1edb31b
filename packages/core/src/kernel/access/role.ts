/** Roles of accounts. Two carry rights; all others are only stored and shown. */

/** A role with rights on the account surface. SuperAdmin includes Admin. */
export type AdminRole = 'Admin' | 'SuperAdmin';

/** Returns the highest role with rights among the roles of an account, or null. */
export function adminRoleOf(roles: readonly string[]): AdminRole | null {
  if (roles.includes('SuperAdmin')) return 'SuperAdmin';
  return roles.includes('Admin') ? 'Admin' : null;
}
