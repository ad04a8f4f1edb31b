/** Decides when a failed call is repeated, and after how long. */
import type { AgentkeepError, ErrorCode } from '@agentkeep/core/clients';

/** The bounds of sending a call again, in milliseconds where it is a time. */
export interface RetryPolicy {
  /** Most tries of one call, the first one included. */
  readonly tries: number;
  /** Longest time from the first failure to the start of the last try. */
  readonly totalMs: number;
  /** Longest wait before the second try; each further one may be twice as long. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** A try that failed. */
export interface FailedTry {
  readonly error: AgentkeepError;
  /** The wait that the answer requested, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The known facts when a try has failed. */
export interface RetrySituation extends FailedTry {
  /** Whether the call has the same effect however often it is sent. */
  readonly isRepeatable: boolean;
  /** Whether the next try goes to another server, which needs no wait. */
  readonly isElsewhere: boolean;
  /** Tries that were made, at least 1. */
  readonly triesMade: number;
  /** Milliseconds since the first failure. */
  readonly elapsedMs: number;
  /** A random number from 0 to below 1. */
  readonly chance: number;
}

/** Refusals before any effect, after which every call may be repeated. */
const nothingDone: readonly ErrorCode[] = [
  'rate_limit_exceeded',
  'server_stopping',
  'service_busy',
  'login_busy',
];

/** Failures after which the effect is unknown, or there and not yet where it has to be. */
const perhapsDone: readonly ErrorCode[] = [
  'server_unreachable',
  'store_unavailable',
  'replica_unavailable',
  'internal_error',
];

/** Returns whether an error is about one server, and another one may answer. */
export function isOfServer({ code }: AgentkeepError): boolean {
  return code === 'server_stopping' || code === 'server_unreachable';
}

/**
 * Returns the milliseconds to wait before the next try, or `undefined` when there is none.
 *
 * Waits double up to the longest, and chance takes up to half off, so that many clients don't
 * return at once. An answer that says how long to wait is obeyed: chance only adds to it.
 */
export function waitBeforeRetry(
  { error, retryAfterMs, isRepeatable, isElsewhere, triesMade, elapsedMs, chance }: RetrySituation,
  { tries, totalMs, firstWaitMs, longestWaitMs }: RetryPolicy,
): number | undefined {
  const mayRepeat =
    nothingDone.includes(error.code) || (isRepeatable && perhapsDone.includes(error.code));
  if (!mayRepeat || triesMade >= tries) return undefined;
  if (isElsewhere) return elapsedMs > totalMs ? undefined : 0;
  const backoffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (triesMade - 1));
  const waitMs =
    retryAfterMs === undefined
      ? backoffMs * (1 - chance / 2)
      : retryAfterMs + (firstWaitMs * chance) / 2;
  return elapsedMs + waitMs > totalMs ? undefined : waitMs;
}
