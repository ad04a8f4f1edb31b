/**
 * Decides whether a tenant may have one more of a bounded number of places. A tenant's first place
 * is easier to get than its further ones, so that few tenants cannot take all places for long.
 */

/** Places of which a tenant wants one more. */
export interface Places {
  /** Places there are. */
  readonly all: number;
  /** Most places of one tenant. */
  readonly ofTenant: number;
  /** Places that are taken, and those of them that the tenant has. */
  readonly taken: { readonly inAll: number; readonly byTenant: number };
}

/** Returns whether the tenant may have one more: a further one while half of the places are free. */
export function mayTakePlace({ all, ofTenant, taken: { inAll, byTenant } }: Places): boolean {
  if (inAll >= all || byTenant >= ofTenant) return false;
  return byTenant === 0 || inAll < all / 2;
}
