/** How far consumers are behind. */
import { LAST_POSITION } from '../../../storage/store/position.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { changesBetween } from '../journal/change-store.js';
import { positionsOf } from './consumer-store.js';

/** Returns the age of the oldest change that a consumer of a tenant has not committed, or 0. */
export function consumerLagMs(tx: ReadTx, tenantId: string, nowMs: number): number {
  const lags = positionsOf(tx, tenantId).map((from) => {
    const [next] = changesBetween(tx, tenantId, { from, to: LAST_POSITION, limit: 1 });
    return next === undefined ? 0 : nowMs - next.committedAtMillis;
  });
  return Math.max(0, ...lags);
}
