/** What waits in memory for reviewers and consumers. */
import type { CountBacklog } from '../../upkeep/backlog/backlog.js';
import { LAST_POSITION } from '../../storage/store/position.js';
import { PROPOSALS_MAX } from './branch/proposal-policy.js';
import { proposalsAfter } from './branch/proposal-store.js';
import { CONSUMERS_OF_TENANT_MAX, memoryConsumers } from './consumers/consumer-store.js';
import { changesBetween } from './journal/change-store.js';

/** Counts the proposals of a tenant, and finds how far its last consumer is behind. */
export const memoryBacklog: CountBacklog = (tx, tenantId, nowMs) => {
  const consumers = memoryConsumers.values(tx, tenantId, {
    prefix: [],
    limit: CONSUMERS_OF_TENANT_MAX,
  });
  const lags = consumers.map(({ position: from }) => {
    const [next] = changesBetween(tx, tenantId, { from, to: LAST_POSITION, limit: 1 });
    return next === undefined ? 0 : Math.max(0, nowMs - next.committedAtMillis);
  });
  return {
    proposals: proposalsAfter(tx, tenantId, 'proposed', { limit: PROPOSALS_MAX }).length,
    consumerLagMs: Math.max(0, ...lags),
  };
};
