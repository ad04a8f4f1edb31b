/** Settings of sessions, with their defaults and bounds. */
import { SESSION_IDLE_SECONDS_MAX, SESSION_IDLE_SECONDS_MIN } from '../../../contract/limits.js';

/** Options of sessions. */
export interface SessionOptions {
  /** Seconds without use after which a session with access tokens ends, 60 to 86,400; 0: never. */
  readonly idleSeconds?: number;
}

/**
 * Returns the idle limit in milliseconds; 0 for no limit.
 *
 * @throws {TypeError} when it is out of range.
 */
export function idleLimitMs({ idleSeconds = 0 }: SessionOptions): number {
  const [min, max] = [SESSION_IDLE_SECONDS_MIN, SESSION_IDLE_SECONDS_MAX];
  const isWithin = idleSeconds === 0 || (idleSeconds >= min && idleSeconds <= max);
  if (Number.isSafeInteger(idleSeconds) && isWithin) return idleSeconds * 1_000;
  throw new TypeError(`sessions.idleSeconds must be 0 or an integer from ${min} to ${max}.`);
}
