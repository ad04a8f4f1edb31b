/**
 * Keeps the limiter of a process in step with the stored policies: what is committed is in force,
 * and what is in force was committed.
 * @module
 */
import type { Clock } from '../../runtime/ports/clock.js';
import type { NewId } from '../../runtime/ports/ids.js';
import type { Runtime } from '../../runtime/runtime.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import {
  defaultRateLimitPolicies,
  type PolicySet,
} from '../../runtime/admission/rate-limit-policy.js';
import { putPolicy, readPolicySet } from './rate-limit-store.js';
import { RateLimiter } from '../../runtime/admission/rate-limiter.js';

/** What the limiter of a store is opened with. */
export interface LimiterParts {
  readonly store: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The limiter of a store, under its policies. A store that never had any gets the defaults. */
export async function openRateLimiter(parts: LimiterParts): Promise<RateLimiter> {
  const { store, clock } = parts;
  const stored = await store.read(readPolicySet);
  const limiter = new RateLimiter([], clock);
  limiter.follow(stored.revision === 0 ? await storeDefaults(parts) : stored);
  return limiter;
}

/**
 * Runs the body of a change of policies; what it leaves behind is in force once it is durable, and
 * before this resolves.
 */
export async function changePolicies<T>(
  { store, rateLimiter }: Pick<Runtime, 'store' | 'rateLimiter'>,
  change: (tx: WriteTx) => T,
): Promise<T> {
  const { result, policySet } = await store.transact((tx) => ({
    result: change(tx),
    policySet: readPolicySet(tx),
  }));
  rateLimiter.follow(policySet);
  return result;
}

function storeDefaults({ store, clock, newId }: LimiterParts): Promise<PolicySet> {
  const nowMs = clock.now();
  const defaults = defaultRateLimitPolicies.map((policy) => ({
    ...policy,
    id: newId(),
    createdAtMillis: nowMs,
    updatedAtMillis: nowMs,
  }));
  return store.transact((tx) => {
    // Another opening of the same store may have been faster.
    if (readPolicySet(tx).revision === 0) for (const policy of defaults) putPolicy(tx, policy);
    return readPolicySet(tx);
  });
}
