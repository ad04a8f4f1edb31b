/** A store in which nothing but storage quotas takes part. */
import { type QuotaHolders, quotaParticipant } from '../src/upkeep/quota/quota-participant.js';
import { withParticipants } from '../src/storage/store/participant.js';
import type { Transactions } from '../src/storage/store/store.js';

/**
 * Returns a store with quotas in force. Calls `onUncounted` with tenants that are not completely
 * counted.
 */
export function meteredStore(
  store: Transactions,
  onUncounted: (tenantId: string) => void,
  holders?: QuotaHolders,
): Transactions {
  return withParticipants(store, [quotaParticipant(onUncounted, holders)]);
}
