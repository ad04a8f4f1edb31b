/**
 * When failed logins lock a name, for how long, and what ends it (contract, accounts-security 5.1).
 * @module
 */
import {
  LOCKOUT_FAILURES_MAX,
  LOCKOUT_FIRST_MILLIS,
  LOCKOUT_KEPT_MILLIS,
  LOCKOUT_LONGEST_MILLIS,
  LOCKOUT_WINDOW_MILLIS,
} from '../../contract/limits.js';

/** What keeps a name from logging in. */
export type Lock =
  /** Failures led to it; it has ended once the wall clock shows `expiresMs`. */
  | { readonly kind: 'timed'; readonly expiresMs: number }
  /** An administrator set it; only an administrator ends it. */
  | { readonly kind: 'manual'; readonly reason: string | null };

/** What is remembered of the logins of a name. */
export interface Lockout {
  readonly failedAttempts: number;
  /** When the run of these failures began, in Unix milliseconds; null when there are none. */
  readonly firstFailureMs: number | null;
  /** The last failure or end of a lock, in Unix milliseconds. */
  readonly lastChangeMs: number;
  /** Locks since the last good login or new password. */
  readonly lockoutCount: number;
  readonly lock: Lock | null;
}

/** What is remembered at a moment. */
export interface LockoutMoment {
  /** Absent when nothing is remembered any more. */
  readonly lockout: Lockout | undefined;
  /** When a lock ended that is still there in what was remembered; null when none did. */
  readonly endedMs: number | null;
}

/** What happens to a name by the passing of time alone, and when, in Unix milliseconds. */
export interface LockoutDue {
  readonly what: 'end' | 'forget';
  readonly atMs: number;
}

/** Beyond these doublings the longest lock is reached anyway. */
const DOUBLINGS_MAX = 16;

/** How long the lock lasts that is the `lockoutCount`-th in a row, in milliseconds. */
export function lockoutDurationMs(lockoutCount: number): number {
  const doublings = Math.min(Math.max(lockoutCount - 1, 0), DOUBLINGS_MAX);
  return Math.min(LOCKOUT_FIRST_MILLIS * 2 ** doublings, LOCKOUT_LONGEST_MILLIS);
}

/** What was remembered, as it is at a moment: locks may have ended, failures may be too old. */
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

/** After a failed login. A locked name stays as it is: such attempts do not count. */
export function afterFailure(known: Lockout | undefined, nowMs: number): Lockout {
  const before = known ?? nothing(nowMs);
  if (before.lock !== null) return before;
  const failedAttempts = before.failedAttempts + 1;
  const counted = {
    ...before,
    failedAttempts,
    // Not in the future, or a clock that was set back would keep the run open for as long.
    firstFailureMs: Math.min(before.firstFailureMs ?? nowMs, nowMs),
    lastChangeMs: nowMs,
  };
  if (failedAttempts < LOCKOUT_FAILURES_MAX) return counted;
  const lockoutCount = before.lockoutCount + 1;
  const expiresMs = nowMs + lockoutDurationMs(lockoutCount);
  return { ...counted, lockoutCount, lock: { kind: 'timed', expiresMs } };
}

/** After a good login, which only a name that is not locked can have. */
export function afterSuccess(known: Lockout): Lockout {
  return { ...withoutFailures(known), lockoutCount: 0 };
}

/** After an administrator locked the name; a lock that is there is replaced, failures stay. */
export function afterAdminLock(
  known: Lockout | undefined,
  reason: string | null,
  nowMs: number,
): Lockout {
  const before = known ?? nothing(nowMs);
  return { ...before, lockoutCount: before.lockoutCount + 1, lock: { kind: 'manual', reason } };
}

/** After an administrator unlocked the name, whatever locked it. */
export function afterAdminUnlock(known: Lockout, nowMs: number): Lockout {
  return known.lock === null ? withoutFailures(known) : unlocked(known, nowMs);
}

/** After the password was changed or reset; what an administrator locked stays locked. */
export function afterNewPassword(known: Lockout, nowMs: number): Lockout {
  const before = known.lock?.kind === 'timed' ? unlocked(known, nowMs) : known;
  return afterSuccess(before);
}

/** What comes next without anybody's doing; null when nothing does. */
export function lockoutDue({ lock, lastChangeMs }: Lockout): LockoutDue | null {
  if (lock === null) return { what: 'forget', atMs: lastChangeMs + LOCKOUT_KEPT_MILLIS };
  return lock.kind === 'timed' ? { what: 'end', atMs: lock.expiresMs } : null;
}

/** How many more failures lock the name; none while it is locked. */
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
