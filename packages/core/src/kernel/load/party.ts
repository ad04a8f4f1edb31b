/**
 * Parties, and the slots that each may take.
 *
 * Decides whether a tenant may have one more of a bounded number of slots. A tenant's first slot
 * is easier to get than its further ones, so that few tenants cannot take all slots for long.
 */
import { keyOfAuthority, type Principal } from '../access/principal.js';

/** The party that work is done for. */
export interface Party {
  /** Tenant part of the keys of the caller's authority. */
  readonly tenant: string;
  /** Id of the principal. */
  readonly principal: string;
}

/** Stands for the tenant of callers without a valid proof. No tenant has this name. */
const NO_TENANT = '\0';

/** Returns the party of a principal. */
export function partyOf({ authority, id }: Principal): Party {
  return { tenant: keyOfAuthority(authority), principal: id };
}

/** Returns the party of callers without a valid proof. Callers from one address are one party. */
export function unprovedParty(address: string): Party {
  return { tenant: NO_TENANT, principal: address };
}

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
