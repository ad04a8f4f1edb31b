/**
 * The ports that every operation runs on.
 * @module
 */
import type { Authenticator } from '../access/authenticator.js';
import type { CountedHasher } from '../password/counted-hasher.js';
import type { PolicyLookout } from '../rate-limit/policy-lookout.js';
import type { RateLimiter } from '../rate-limit/rate-limiter.js';
import type { EntryTally } from '../stats/entry-tally.js';
import type { Store } from '../storage/store/store.js';
import type { Tokens } from '../token/tokens.js';
import type { AuditPort } from './audit.js';
import type { Clock } from './clock.js';
import type { Entropy } from './entropy.js';
import type { NewId } from './ids.js';
import type { UseLog } from './use-log.js';

/** Store, time, ids, randomness, proofs, audit and rate limits, as one value to hand around. */
export interface Runtime {
  readonly store: Store;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly newId: NewId;
  /** Writes down where the ids stand; called before the store is closed. */
  readonly settleIds: () => Promise<void>;
  readonly authenticate: Authenticator;
  readonly passwords: CountedHasher;
  readonly tokens: Tokens;
  readonly audit: AuditPort;
  /** When keys and sessions were last used, as far as that is not stored yet. */
  readonly uses: UseLog;
  /** Under the stored policies, as they are at any moment. */
  readonly rateLimiter: RateLimiter;
  /** Looks whether another server has changed them; absent where there is no other. */
  readonly policyLookout: PolicyLookout | undefined;
  readonly tally: EntryTally;
  /** The directory that everything lies in; absent over a store that was given. */
  readonly dataDir: string | undefined;
}
