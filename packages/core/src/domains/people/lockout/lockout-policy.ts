/**
 * Decides when failed logins lock a name, for how long, and what ends a lock
 * (docs/contract/lockouts.md).
 */
import {
  LOCKOUT_FAILURES_MAX,
  LOCKOUT_FIRST_MILLIS,
  LOCKOUT_KEPT_MILLIS,
  LOCKOUT_LONGEST_MILLIS,
  LOCKOUT_WINDOW_MILLIS,
} from '../../../contract/limits.js';

/** A lock on a name. */
export type Lock =
  /** Caused by failures; ends when the wall clock reaches `expiresMs`. */
  | { readonly kind: 'timed'; readonly expiresMs: number }
  /** Set by an administrator; only an administrator ends it. */
  | { readonly kind: 'manual'; readonly reason: string | null };

/** The login record of a name. */
export interface Lockout {
  readonly failedAttempts: number;
  /** Time of the first failure of the run, in Unix milliseconds; null without failures. */
  readonly firstFailureMs: number | null;
  /** Time of the last failure or end of a lock, in Unix milliseconds. */
  readonly lastChangeMs: number;
  /** Locks since the last successful login or new password. */
  readonly lockoutCount: number;
  readonly lock: Lock | null;
}

/** The record as it stands at a time. */
export interface LockoutMoment {
  /** Absent when the record has expired. */
  readonly lockout: Lockout | undefined;
  /** When the stored lock ended; null if it didn't. */
  readonly endedMs: number | null;
}

/** The next change that time alone causes, and when, in Unix milliseconds. */
export interface LockoutDue {
  readonly what: 'end' | 'forget';
  readonly atMs: number;
}

/** More doublings than this exceed the longest lock. */
const DOUBLINGS_MAX = 16;

/** Returns the duration of the `lockoutCount`-th lock in a row, in milliseconds. */
export function lockoutDurationMs(lockoutCount: number): number {
  const doublings = Math.min(Math.max(lockoutCount - 1, 0), DOUBLINGS_MAX);
  return Math.min(LOCKOUT_FIRST_MILLIS * 2 ** doublings, LOCKOUT_LONGEST_MILLIS);
}

/** Returns the record at a time: a lock may have ended, failures may be too old. */
export function lockoutAt(known: Lockout | undefined, nowMs: number): LockoutMoment {
  if (known === undefined) return { lockout: undefined, endedMs: null };
  const { lock } = known;
  const endedMs = lock?.kind === 'timed' && nowMs >= lock.expiresMs ? lock.expiresMs : null;
  const left = endedMs === null ? known : unlocked(known, endedMs);
  if (left.lock !== null) return { lockout: left, endedMs };
  if (nowMs >= left.lastChangeMs + LOCKOUT_KEPT_MILLIS) return { lockout: undefined, endedMs };
  const isRunOver =
    left.firstFailureMs !== null && nowMs > left.firstFailureMs + LOCKOUT_WINDOW_MILLIS;
  return { lockout: isRunOver ? withoutFailures(left) : left, endedMs };
}

/** Returns the record after a failed login. Attempts on a locked name don't count. */
export function afterFailure(known: Lockout | undefined, nowMs: number): Lockout {
  const before = known ?? nothing(nowMs);
  if (before.lock !== null) return before;
  const failedAttempts = before.failedAttempts + 1;
  const counted = {
    ...before,
    failedAttempts,
    // Never in the future, or a clock that was set back would keep the run open.
    firstFailureMs: Math.min(before.firstFailureMs ?? nowMs, nowMs),
    lastChangeMs: nowMs,
  };
  if (failedAttempts < LOCKOUT_FAILURES_MAX) return counted;
  const lockoutCount = before.lockoutCount + 1;
  const expiresMs = nowMs + lockoutDurationMs(lockoutCount);
  return { ...counted, lockoutCount, lock: { kind: 'timed', expiresMs } };
}

/** Returns the record after a successful login, which only an unlocked name can have. */
export function afterSuccess(known: Lockout): Lockout {
  return { ...withoutFailures(known), lockoutCount: 0 };
}

/** Returns the record after a manual lock. It replaces any other lock; failures stay. */
export function afterAdminLock(
  known: Lockout | undefined,
  reason: string | null,
  nowMs: number,
): Lockout {
  const before = known ?? nothing(nowMs);
  return { ...before, lockoutCount: before.lockoutCount + 1, lock: { kind: 'manual', reason } };
}

/** Returns the record after a manual unlock. */
export function afterAdminUnlock(known: Lockout, nowMs: number): Lockout {
  return known.lock === null ? withoutFailures(known) : unlocked(known, nowMs);
}

/** Returns the record after a new password. A manual lock stays. */
export function afterNewPassword(known: Lockout, nowMs: number): Lockout {
  const before = known.lock?.kind === 'timed' ? unlocked(known, nowMs) : known;
  return afterSuccess(before);
}

/** Returns the next change that time alone causes, or null. */
export function lockoutDue({ lock, lastChangeMs }: Lockout): LockoutDue | null {
  if (lock === null) return { what: 'forget', atMs: lastChangeMs + LOCKOUT_KEPT_MILLIS };
  return lock.kind === 'timed' ? { what: 'end', atMs: lock.expiresMs } : null;
}

/** Returns how many more failures lock the name; 0 while it is locked. */
export function remainingAttempts({ failedAttempts, lock }: Lockout): number {
  return lock === null ? Math.max(LOCKOUT_FAILURES_MAX - failedAttempts, 0) : 0;
}

function nothing(nowMs: number): Lockout {
  return {
    failedAttempts: 0,
    firstFailureMs: null,
    lastChangeMs: nowMs,
    lockoutCount: 0,
    lock: null,
  };
}

function withoutFailures(known: Lockout): Lockout {
  return { ...known, failedAttempts: 0, firstFailureMs: null };
}

function unlocked(known: Lockout, endedMs: number): Lockout {
  return { ...withoutFailures(known), lastChangeMs: endedMs, lock: null };
}
