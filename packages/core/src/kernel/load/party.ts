/** The party that work is done for and that answers are sent to. */
import { keyOfAuthority } from '../access/authority.js';
import type { Principal } from '../access/principal.js';

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
