/**
 * Enforces storage quotas: the use of a tenant changes in the transaction that changes its entries,
 * and a transaction that must keep within quotas fails if it does not.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { isKeptWithinQuota, spareKeys } from '../../kernel/quota/growth-limit.js';
import type { EndedRun, Participant } from '../../storage/store/participant.js';
import { Meter } from './meter.js';
import { addUse, exceedsQuota } from './quota-policy.js';
import type { QuotaHolders } from './quota-holders.js';
import { findQuota, putQuota } from '../stored/quota-store.js';

/**
 * Returns the participant of every change. Calls `onUncounted` with tenants that were written for
 * while their use is not completely counted. `holders` saves look-ups for tenants that have no
 * quota.
 */
export function quotaParticipant(
  onUncounted: (tenantId: string) => void,
  holders?: QuotaHolders,
): Participant<void, Meter, readonly string[]> {
  return {
    view: (tx) => new Meter(tx, holders),
    settle,
    committed: (uncounted) => {
      for (const tenantId of uncounted) onUncounted(tenantId);
    },
  };
}

const NO_TENANTS: readonly string[] = [];

/**
 * Adds what a body wrote to the use of its tenants. Returns those that are not fully counted.
 *
 * @throws {AgentkeepError} `quota_exceeded`
 */
function settle({ tx, view: meter, notes }: EndedRun<Meter>): readonly string[] {
  if (meter.isIdle) return NO_TENANTS;
  const uncounted: string[] = [];
  for (const writes of meter.measured) {
    // The body itself may have changed or removed the quota.
    const quota = findQuota(tx, writes.tenantId);
    if (quota === undefined) continue;
    // Entries from `countedTo` on are still to be counted.
    let added = writes.addedBefore(quota.countedTo);
    if (exceedsQuota(quota, quota, added) && isKeptWithinQuota(notes)) {
      if (writes.removeAdded(spareKeys(notes))) added = writes.addedBefore(quota.countedTo);
      if (exceedsQuota(quota, quota, added)) throw new AgentkeepError('quota_exceeded');
    }
    if (added.entries !== 0 || added.bytes !== 0)
      putQuota(tx, { ...quota, ...addUse(quota, added) });
    if (quota.countedTo !== null) uncounted.push(writes.tenantId);
  }
  return uncounted;
}
