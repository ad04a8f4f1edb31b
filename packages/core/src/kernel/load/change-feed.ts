/** The port of the change feed: waits for changes of a tenant, and cursors that reveal nothing. */
import type { Party } from './party.js';

/** Signals that end a wait early. */
interface FeedSignals {
  readonly signal?: AbortSignal | undefined;
  readonly stopping?: AbortSignal | undefined;
}

/** A slot among the waiting calls. */
export interface FeedWait {
  /**
   * Resolves at the next commit that changes memory of the tenant, if the store reports commits,
   * and soon in any case: then the caller looks again, with its authority at that time. Either
   * signal ends it at once.
   */
  soon(until: FeedSignals): Promise<void>;
  /** Releases the slot. Safe to call repeatedly. */
  end(): void;
}

/** A slot that a stream keeps from one page to the next, and releases when it ends. */
export interface HeldWait {
  slot?: FeedWait;
}

/** The change feed. */
export interface ChangeFeedPort {
  /**
   * Returns a slot among the waiting calls.
   *
   * @throws {AgentkeepError} `too_many_waits` beyond a bound.
   */
  wait(party: Party): FeedWait;
  /** Whether waiting has ended for good, because the keep is closing. */
  readonly isClosing: boolean;
  /** Returns the secret of cursors. The first use makes and stores it. */
  cursorSecret(): Promise<Uint8Array>;
}
