/**
 * The ports that every operation runs on.
 * @module
 */
import type { Authenticator } from '../access/authenticator.js';
import type { CountedHasher } from './ports/counted-hasher.js';
import type { PolicyLookout } from '../administration/rate-limit/policy-lookout.js';
import type { RateLimiter } from './admission/rate-limiter.js';
import type { EntryTally } from './counts/entry-tally.js';
import type { Store } from '../storage/store/store.js';
import type { Tokens } from './ports/tokens.js';
import type { AuditPort } from './audit/audit.js';
import type { Clock } from './ports/clock.js';
import type { Entropy } from './ports/entropy.js';
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
