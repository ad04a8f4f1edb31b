/**
 * Picks up rate limit policies that other servers change. Each call compares the stored revision
 * in the read that proves its caller.
 */
import { ifReadable } from '../../storage/store/value.js';
import type { Store } from '../../storage/store/store.js';
import type { RateLimiter } from '../../runtime/admission/rate-limiter.js';
import type { RefreshPolicies } from '../../runtime/runtime.js';
import { policyRevision, readPolicySet } from './rate-limit-store.js';

/** Keeps a limiter in step with the store; `undefined` over a store that nobody else changes. */
export function policyRefresh(
  { isShared }: Pick<Store, 'isShared'>,
  limiter: RateLimiter,
): RefreshPolicies | undefined {
  if (!isShared) return undefined;
  return (tx, effects) => {
    // Damaged policies are reported by the operations that read them. Here the last set stays.
    const revision = ifReadable(() => policyRevision(tx));
    if (revision === undefined || revision <= limiter.revision) return;
    const found = ifReadable(() => readPolicySet(tx));
    if (found === undefined) return;
    effects.push(() => {
      limiter.follow(found);
    });
  };
}
