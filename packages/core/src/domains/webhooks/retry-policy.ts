/** Decides when a failed message is sent again, and when it is given up. */
import { WEBHOOK_RETRY_MS } from '../../contract/limits.js';

const FIRST_WAIT_MS = 5_000;
const WAIT_MS_MAX = 3_600_000;
/** Waits vary by up to this share, so that receivers are not all called at once. */
const JITTER = 0.2;

/** A failed attempt. */
export interface FailedAttempt {
  readonly nowMs: number;
  /** Failed attempts of the message, including this one. */
  readonly attempts: number;
  /** The wait that the receiver requested; null if it requested none. */
  readonly retryAfterMs: number | null;
  /** From 0 to 1, both excluded at most by rounding. */
  readonly random: number;
}

/** Returns when to try again: after a wait that doubles each time, one hour at most. */
export function nextAttemptMs({ nowMs, attempts, retryAfterMs, random }: FailedAttempt): number {
  const doubled = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20), WAIT_MS_MAX);
  const wait = doubled * (1 + JITTER * (2 * random - 1));
  const asked = Math.min(retryAfterMs ?? 0, WAIT_MS_MAX);
  return Math.round(nowMs + Math.max(wait, asked));
}

/** Returns whether a failed change is too old for another attempt. */
export function isGivenUp(committedAtMillis: number, nowMs: number): boolean {
  return nowMs - committedAtMillis >= WEBHOOK_RETRY_MS;
}
