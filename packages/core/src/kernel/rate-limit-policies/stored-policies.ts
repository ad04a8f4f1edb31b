/**
 * Keeps the limiter of a process in step with the stored policies. Exactly the committed policies
 * apply.
 *
 * Picks up rate limit policies that other servers change. Each call compares the stored revision
 * in the transaction that authenticates its caller.
 */
import type { Store, Transactions, WriteTx } from '../../storage/store/store.js';
import { ifReadable } from '../../storage/store/value.js';
import type { Clock } from '../ports/clock.js';
import type { NewId } from '../ports/ids.js';
import { defaultRateLimitPolicies, type PolicySet } from '../rate-limit/rate-limit-policy.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import type { RefreshPolicies, Runtime } from '../services/runtime.js';
import { policyRevision, putPolicy, readPolicySet } from './rate-limit-store.js';

/** Dependencies of the limiter of a store. */
interface LimiterParts {
  readonly store: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Opens the limiter of a store. A store that never had policies gets the defaults. */
export async function openRateLimiter(parts: LimiterParts): Promise<RateLimiter> {
  const { store, clock } = parts;
  const stored = await store.read(readPolicySet);
  const limiter = new RateLimiter([], clock);
  limiter.follow(stored.revision === 0 ? await storeDefaults(parts) : stored);
  return limiter;
}

/**
 * Runs a transaction that changes policies. The result applies once it is durable, before this
 * promise resolves.
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
    // Another process that opened the same store may have written them first.
    if (readPolicySet(tx).revision === 0) for (const policy of defaults) putPolicy(tx, policy);
    return readPolicySet(tx);
  });
}

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
