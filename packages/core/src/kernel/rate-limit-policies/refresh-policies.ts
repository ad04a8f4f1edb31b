/**
 * Picks up rate limit policies that other servers change. Each call compares the stored revision in
 * the transaction that authenticates its caller.
 */
import { ifReadable } from '../../storage/store/value.js';
import type { Store } from '../../storage/store/store.js';
import type { RateLimiter } from '../rate-limit/rate-limiter.js';
import type { RefreshPolicies } from '../services/runtime.js';
import { policyRevision, readPolicySet } from './rate-limit-store.js';

/**
 * Returns a function that updates the limiter from the store; `undefined` for an unshared store.
 */
export function policyRefresh(
  { isShared }: Pick<Store, 'isShared'>,
  limiter: RateLimiter,
): RefreshPolicies | undefined {
  if (!isShared) return undefined;
  return (tx, effects) => {
    // The operations that read damaged policies report them. Here the last readable set stays.
    const revision = ifReadable(() => policyRevision(tx));
    if (revision === undefined || revision <= limiter.revision) return;
    const found = ifReadable(() => readPolicySet(tx));
    if (found === undefined) return;
    effects.push(() => {
      limiter.follow(found);
    });
  };
}
