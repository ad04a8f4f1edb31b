/**
 * Lockouts of names, from the contract alone.
 */
import { type Lockout, nameKey, timeText, type World } from './world.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FAILURES_MAX = 5;
const WINDOW = 30 * MINUTE;

/** The lockout of a name now. Expired locks are over and old failures don't count. */
function lockoutOf(world: World, authority: string, name: string): Lockout | undefined {
  const key = nameKey(authority, name);
  const lockout = world.lockouts.get(key);
  if (lockout === undefined) return undefined;
  const { lock } = lockout;
  const end = lock?.expiresAt ?? Infinity;
  if (world.now >= end) Object.assign(lockout, { lock: null, failures: 0, lastChangeAt: end });
  if (lockout.lock === null && world.now >= lockout.lastChangeAt + 30 * DAY) {
    world.lockouts.delete(key);
    return undefined;
  }
  return lockout;
}

/** Failures that count now. */
function failuresOf({ lock, failures, firstFailureAt }: Lockout, now: number): number {
  return lock === null && now > firstFailureAt + WINDOW ? 0 : failures;
}

/** Whether a name is locked. */
export function isLocked(world: World, authority: string, name: string): boolean {
  return (lockoutOf(world, authority, name)?.lock ?? null) !== null;
}

/** Counts a failed login of a name that is not locked. */
export function fail(world: World, authority: string, name: string): void {
  const { now } = world;
  const lockout = lockoutOf(world, authority, name) ?? remember(world, authority, name);
  const failures = failuresOf(lockout, now);
  const first = failures === 0 ? now : Math.min(lockout.firstFailureAt, now);
  Object.assign(lockout, { failures: failures + 1, firstFailureAt: first, lastChangeAt: now });
  if (lockout.failures < FAILURES_MAX) return;
  lockout.count += 1;
  const duration = Math.min(15 * MINUTE * 2 ** (lockout.count - 1), DAY);
  lockout.lock = { expiresAt: now + duration, reason: null };
}

/** Notes a successful login. */
export function succeed(world: World, authority: string, name: string): void {
  const lockout = lockoutOf(world, authority, name);
  if (lockout !== undefined) Object.assign(lockout, { failures: 0, count: 0 });
}

/** Notes a new password. */
export function renew(world: World, authority: string, name: string): void {
  const lockout = lockoutOf(world, authority, name);
  const isTimed = typeof lockout?.lock?.expiresAt === 'number';
  if (isTimed) Object.assign(lockout, { lock: null, lastChangeAt: world.now });
  succeed(world, authority, name);
}

/** Locks a name as an administrator does. */
export function lock(world: World, authority: string, name: string, reason: string | null): void {
  const lockout = lockoutOf(world, authority, name) ?? remember(world, authority, name);
  const failures = failuresOf(lockout, world.now);
  Object.assign(lockout, { failures, count: lockout.count + 1, lock: { expiresAt: null, reason } });
}

/** Unlocks a name as an administrator does; `false` when it has no lockout. */
export function unlock(world: World, authority: string, name: string): boolean {
  const lockout = lockoutOf(world, authority, name);
  if (lockout === undefined) return false;
  if (lockout.lock !== null) lockout.lastChangeAt = world.now;
  Object.assign(lockout, { lock: null, failures: 0 });
  return true;
}

/** The status of a name as operations show it. */
export function shownLockout(world: World, authority: string, name: string) {
  const lockout = lockoutOf(world, authority, name);
  const failures = lockout === undefined ? 0 : failuresOf(lockout, world.now);
  const lock = lockout?.lock ?? null;
  const end = lock?.expiresAt ?? null;
  return {
    locked: lock !== null,
    failed_attempts: failures,
    lockout_count: lockout?.count ?? 0,
    lockout_expires: end === null ? null : timeText(end),
    lockout_remaining_seconds: end === null ? null : Math.ceil((end - world.now) / 1_000),
    remaining_attempts: lock === null ? FAILURES_MAX - failures : 0,
    lockout_reason: lock?.reason ?? null,
  };
}

function remember(world: World, authority: string, name: string): Lockout {
  const lockout = { failures: 0, firstFailureAt: 0, lastChangeAt: world.now, count: 0, lock: null };
  world.lockouts.set(nameKey(authority, name), lockout);
  return lockout;
}
