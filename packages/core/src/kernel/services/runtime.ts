/**
 * What every operation runs on. A service that one domain or one engine needs is a port that its
 * owner declares (`kernel/ports/port.ts`), and no member here.
 */
import type { Authenticator, ReadEffects } from '../access/principal.js';
import type { HeavyWork } from '../load/heavy-work.js';
import type { RateLimiter } from '../rate-limit/rate-limiter.js';
import type { ReadTx, Store, Transactions } from '../../storage/store/store.js';
import type { Tokens } from '../ports/tokens.js';
import type { AuditPort } from '../audit/audit.js';
import type { Clock } from '../ports/clock.js';
import type { Entropy } from '../ports/entropy.js';
import type { NewId } from '../ports/ids.js';
import type { Ports } from '../ports/port.js';

/**
 * Reads the rate limit policies again if another server changed them; the effect that it adds
 * applies them.
 */
export type RefreshPolicies = (tx: ReadTx, effects: ReadEffects) => void;

/** The services of a keep that each call uses, as one value. */
export interface Runtime {
  /** Every read and change goes through it, so that changes are counted and recorded. */
  readonly store: Transactions;
  /** The store itself, for its size, queue, copies and closing. */
  readonly backend: Omit<Store, keyof Transactions>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly newId: NewId;
  readonly authenticate: Authenticator;
  readonly tokens: Tokens;
  readonly audit: AuditPort;
  /** Applies the stored policies in force at any time. */
  readonly rateLimiter: RateLimiter;
  /** Absent over a store that no other server shares. */
  readonly refreshPolicies: RefreshPolicies | undefined;
  /** Admits calls that scan or answer with a page, and shares the time among them. */
  readonly heavyWork: HeavyWork;
  /** What answers the ports of domains and engines. */
  readonly ports: Ports;
}
