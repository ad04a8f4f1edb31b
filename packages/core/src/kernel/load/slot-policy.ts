/**
 * Decides whether a tenant may have one more of a bounded number of slots. A tenant's first slot
 * is easier to get than its further ones, so that few tenants cannot take all slots for long.
 */

/** Counts of slots: the most of all and of one tenant, or those that are taken. */
export interface Slots {
  readonly inAll: number;
  readonly byTenant: number;
}

/**
 * Returns whether the tenant may take one more slot: a further one only while half of all are free.
 */
export function mayTakeSlot(most: Slots, taken: Slots): boolean {
  if (taken.inAll >= most.inAll || taken.byTenant >= most.byTenant) return false;
  return taken.byTenant === 0 || taken.inAll < most.inAll / 2;
}
