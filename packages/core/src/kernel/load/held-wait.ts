/** Slots of calls that wait for changes, which a stream keeps from one page to the next. */

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
