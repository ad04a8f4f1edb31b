/**
 * Decides whether a tenant may have one more of a bounded number of places. A tenant's first place
 * is easier to get than its further ones, so that few tenants cannot take all places for long.
 */

/** Places: those there are and may be taken by a tenant at most, or those that are taken. */
export interface Places {
  readonly inAll: number;
  readonly byTenant: number;
}

/** Returns whether the tenant may have one more: a further one only while half of all are free. */
export function mayTakePlace(most: Places, taken: Places): boolean {
  if (taken.inAll >= most.inAll || taken.byTenant >= most.byTenant) return false;
  return taken.byTenant === 0 || taken.inAll < most.inAll / 2;
}
