/**
 * Follows the rate limit policies that other servers change: each call looks, in the read that
 * proves its caller, whether there is a later set of them.
 * @module
 */
import type { Aftermath } from '../../access/authenticator.js';
import type { ReadTx, Store } from '../../storage/store/store.js';
import { readable } from '../../storage/store/value.js';
import { policyRevision, readPolicySet } from './rate-limit-store.js';
import type { RateLimiter } from '../../runtime/admission/rate-limiter.js';

/** Looks for a later set of policies; its aftermath puts them in force. */
export type PolicyLookout = (tx: ReadTx, aftermath: Aftermath) => void;

/** The lookout for a limiter; none over a store that nobody else changes, so it costs nothing. */
export function policyLookout(
  { isShared }: Pick<Store, 'isShared'>,
  limiter: RateLimiter,
): PolicyLookout | undefined {
  if (!isShared) return undefined;
  return (tx, aftermath) => {
    // Damage is told by what asks for policies; until then, the last ones that are known hold.
    const revision = readable(() => policyRevision(tx));
    if (revision === undefined || revision <= limiter.revision) return;
    const found = readable(() => readPolicySet(tx));
    if (found === undefined) return;
    aftermath.push(() => {
      limiter.follow(found);
    });
  };
}
