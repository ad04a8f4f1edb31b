/** The lockout members of answers. */
import { LOCKOUT_FAILURES_MAX } from '../../../contract/limits.js';
import { timeText } from '../../../contract/schema/time.js';
import { type Lock, type Lockout, lockoutAt, remainingAttempts } from './lockout-policy.js';
import type { LockoutStatus } from './schema.js';

/** When a lock ends; null members for a lock without an end. */
export interface LockEnd {
  readonly lockout_expires: string | null;
  /** Rounded up, never negative. */
  readonly lockout_remaining_seconds: number | null;
}

/** Returns when a lock ends, relative to a time. */
export function lockEnd(lock: Lock | null, nowMs: number): LockEnd {
  if (lock?.kind !== 'timed') return { lockout_expires: null, lockout_remaining_seconds: null };
  return {
    lockout_expires: timeText(lock.expiresMs),
    lockout_remaining_seconds: Math.max(Math.ceil((lock.expiresMs - nowMs) / 1_000), 0),
  };
}

/** Returns the status of a name at a time; all zero without a record. */
export function showLockout(known: Lockout | undefined, nowMs: number): LockoutStatus {
  const { lockout } = lockoutAt(known, nowMs);
  const lock = lockout?.lock ?? null;
  return {
    locked: lock !== null,
    failed_attempts: lockout?.failedAttempts ?? 0,
    lockout_count: lockout?.lockoutCount ?? 0,
    ...lockEnd(lock, nowMs),
    remaining_attempts: lockout === undefined ? LOCKOUT_FAILURES_MAX : remainingAttempts(lockout),
    lockout_reason: lock?.kind === 'manual' ? lock.reason : null,
  };
}
