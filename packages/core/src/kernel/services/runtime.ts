/** The ports that every operation runs on. */
import type { ErasureTurn } from './erasure-watch.js';
import type { Authenticator, ReadEffects } from '../access/authenticator.js';
import type { KnownNamespaces } from '../access/known-namespaces.js';
import type { HeavyWork } from '../load/heavy-work.js';
import type { HeldTexts } from '../load/held-texts.js';
import type { CountedHasher } from '../ports/counted-hasher.js';
import type { RateLimiter } from '../rate-limit/rate-limiter.js';
import type { EntryTally } from '../counts/entry-tally.js';
import type { ReadTx, Store, Transactions } from '../../storage/store/store.js';
import type { Assertions } from '../ports/assertions.js';
import type { SignInProtocol } from '../ports/sign-in-protocol.js';
import type { KeyProofs } from '../ports/key-proofs.js';
import type { Tokens } from '../ports/tokens.js';
import type { AuditPort } from '../audit/audit.js';
import type { ChangeFeedPort } from '../load/change-feed.js';
import type { Clock } from '../ports/clock.js';
import type { Entropy } from '../ports/entropy.js';
import type { NewId } from '../ports/ids.js';
import type { HeldViews, QueryCache, ScanMemory, SegmentFollowing } from '../ports/memory-scan.js';
import type { Ports } from './port.js';
import type { StoreProbe } from './store-probe.js';
import type { UseLog } from './use-log.js';

/**
 * Reads the rate limit policies again if another server changed them; the effect that it adds
 * applies them.
 */
export type RefreshPolicies = (tx: ReadTx, effects: ReadEffects) => void;

/**
 * The ports of a keep as one value: store, time, ids, randomness, proofs, audit and rate limits.
 */
export interface Runtime {
  /** Every read and change goes through it, so that changes are counted and recorded. */
  readonly store: Transactions;
  /** The store itself, for its size, queue, copies and closing. */
  readonly backend: Omit<Store, keyof Transactions>;
  /** Tells supervisors whether the store answers. */
  readonly probe: StoreProbe;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly newId: NewId;
  /** Stores the time of the last id; called before the store is closed. */
  readonly settleIds: () => Promise<void>;
  readonly authenticate: Authenticator;
  /**
   * Returns the id of the stored API key with this text, live or not; used by the audit log only.
   */
  readonly apiKeyIdOf: (tx: ReadTx, text: string) => string | undefined;
  readonly hasTenant: (tx: ReadTx, tenantId: string) => boolean;
  /** Absent over a store that no other server shares. */
  readonly erasureTurn: ErasureTurn | undefined;
  /** Returns the subject of the service that chooses for whom a credential acts, or null. */
  readonly serviceOf: (tx: ReadTx, tenantId: string, credentialId: string) => string | null;
  readonly passwords: CountedHasher;
  readonly tokens: Tokens;
  /** Checks proofs of callers that have keys instead of secrets. */
  readonly keyProofs: KeyProofs;
  /** Verifies what issuers state that tenants trust. */
  readonly assertions: Assertions;
  /** Speaks to issuers that people sign in by. */
  readonly signIns: SignInProtocol;
  readonly audit: AuditPort;
  /** Times of last use of keys and sessions that are not stored yet. */
  readonly uses: UseLog;
  /** Longest time without use of a session with access tokens, in milliseconds; 0: no limit. */
  readonly sessionIdleMs: number;
  /** Applies the stored policies in force at any time. */
  readonly rateLimiter: RateLimiter;
  /** Absent over a store that no other server shares. */
  readonly refreshPolicies: RefreshPolicies | undefined;
  readonly tally: EntryTally;
  /** Absent over a store that another process may change. */
  readonly knownNamespaces: KnownNamespaces | undefined;
  /** Admits calls that scan or answer with a page, and shares the time among them. */
  readonly heavyWork: HeavyWork;
  /** Scans memory faster than from the store; absent if nothing may be remembered of it. */
  readonly scanMemory: ScanMemory | undefined;
  /** Follows what other servers change; absent over a store that this one has to itself. */
  readonly segmentFollower: SegmentFollowing | undefined;
  /** What these remember. */
  readonly queryCache: QueryCache | undefined;
  /** States of memory at earlier positions. */
  readonly heldViews: HeldViews;
  /** Exports that callers read page by page. */
  readonly heldTexts: HeldTexts;
  /** Lets calls wait for changes of memory, and seals the cursors that lead to them. */
  readonly changeFeed: ChangeFeedPort;
  /** Carries erasures out, in the background. */
  readonly continueErasures: () => void;
  /** What answers the ports of domains and engines. */
  readonly ports: Ports;
  /** Counts the entries of a tenant with a new storage quota, in the background. */
  readonly countUse: (tenantId: string) => void;
  /** The data directory; absent over a store that the caller provided. */
  readonly dataDir: string | undefined;
  /** How snapshots are made in the background; absent where none are. */
  readonly scheduledSnapshots: { readonly everyMs: number; readonly keep: number } | undefined;
}
