/** When names are locked and for how long (docs/contract/lockouts.md#lck-15). */
import { describe, expect, test } from 'vitest';
import {
  afterAdminLock,
  afterAdminUnlock,
  afterFailure,
  afterNewPassword,
  afterSuccess,
  type Lockout,
  lockoutAt,
  lockoutDue,
  lockoutDurationMs,
} from './lockout-policy.js';
import { showLockout } from './read-lockouts.js';

const START_MS = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

function failures(count: number, nowMs: number, known?: Lockout): Lockout {
  let lockout = lockoutAt(known, nowMs).lockout;
  for (let left = count; left > 0; left -= 1) lockout = afterFailure(lockout, nowMs);
  if (lockout === undefined) throw new RangeError('No failures make no lockout.');
  return lockout;
}

describe('durations', () => {
  test.each([
    ...[15, 30, 60, 120, 240, 480, 960, 1_440, 1_440].entries(),
    ...[40, 1_000, Number.MAX_SAFE_INTEGER - 1].map((at) => [at, 1_440] as const),
  ])('of a lock after %i others: %i minutes', (others, minutes) => {
    expect(lockoutDurationMs(others + 1)).toBe(minutes * MINUTE_MS);
  });

  test('grow with each lock until a successful login', () => {
    let lockout: Lockout | undefined;
    let nowMs = START_MS;
    for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440]) {
      lockout = failures(5, nowMs, lockout);
      expect(showLockout(lockout, nowMs).lockout_remaining_seconds).toBe(minutes * 60);
      nowMs += minutes * MINUTE_MS;
    }
    expect(lockout?.lockoutCount).toBe(9);
  });
});

describe('failures', () => {
  test('lock a name at the fifth', () => {
    expect(showLockout(failures(4, START_MS), START_MS)).toEqual({
      locked: false,
      failed_attempts: 4,
      lockout_count: 0,
      lockout_expires: null,
      lockout_remaining_seconds: null,
      remaining_attempts: 1,
      lockout_reason: null,
    });
    expect(showLockout(failures(5, START_MS), START_MS)).toEqual({
      locked: true,
      failed_attempts: 5,
      lockout_count: 1,
      lockout_expires: '2030-01-01T00:15:00.000Z',
      lockout_remaining_seconds: 900,
      remaining_attempts: 0,
      lockout_reason: null,
    });
  });

  test('change nothing while a name is locked', () => {
    const locked = failures(5, START_MS);
    expect(failures(10, START_MS + MINUTE_MS, locked)).toEqual(locked);
  });

  test('belong to a run for thirty minutes from its first failure', () => {
    const four = failures(4, START_MS);
    expect(failures(1, START_MS + 30 * MINUTE_MS, four).lock).not.toBeNull();
    const later = START_MS + 30 * MINUTE_MS + 1;
    expect(showLockout(four, later)).toMatchObject({ failed_attempts: 0, remaining_attempts: 5 });
    expect(failures(1, later, four)).toMatchObject({
      failedAttempts: 1,
      firstFailureMs: later,
      lock: null,
    });
  });

  test('start a new run after a lock has expired', () => {
    const endMs = START_MS + 15 * MINUTE_MS;
    expect(failures(1, endMs, failures(5, START_MS))).toMatchObject({
      failedAttempts: 1,
      lockoutCount: 1,
      lock: null,
    });
  });
});

describe('a lock', () => {
  const locked = failures(5, START_MS);
  const endMs = START_MS + 15 * MINUTE_MS;

  test('ends exactly at its expiry', () => {
    expect(showLockout(locked, endMs - 1)).toMatchObject({
      locked: true,
      lockout_remaining_seconds: 1,
    });
    expect(lockoutAt(locked, endMs - 1).endedMs).toBeNull();
    expect(lockoutAt(locked, endMs)).toMatchObject({
      endedMs: endMs,
      lockout: { failedAttempts: 0, lastChangeMs: endMs, lockoutCount: 1, lock: null },
    });
  });

  test('ends once', () => {
    const { lockout } = lockoutAt(locked, endMs + DAY_MS);
    expect(lockoutAt(lockout, endMs + DAY_MS)).toEqual({ lockout, endedMs: null });
  });

  test('LCK-12 shows whole seconds, rounded up, also when the clock was set back', () => {
    expect(showLockout(locked, START_MS + 1).lockout_remaining_seconds).toBe(900);
    expect(showLockout(locked, START_MS + 1_000).lockout_remaining_seconds).toBe(899);
    expect(showLockout(locked, START_MS - DAY_MS)).toMatchObject({
      locked: true,
      lockout_expires: '2030-01-01T00:15:00.000Z',
      lockout_remaining_seconds: 900 + 86_400,
    });
  });
});

describe('an administrator', () => {
  test('locks without an end; failures stay, each call counts, the last reason wins', () => {
    const one = afterAdminLock(failures(2, START_MS), 'one', START_MS);
    const two = afterAdminLock(one, 'two', START_MS);
    expect(showLockout(two, START_MS + 400 * DAY_MS)).toEqual({
      locked: true,
      failed_attempts: 2,
      lockout_count: 2,
      lockout_expires: null,
      lockout_remaining_seconds: null,
      remaining_attempts: 0,
      lockout_reason: 'two',
    });
    expect(lockoutDue(two)).toBeNull();
  });

  test('turns a timed lock into a manual one', () => {
    const replaced = afterAdminLock(failures(5, START_MS), null, START_MS);
    expect(lockoutAt(replaced, START_MS + DAY_MS)).toEqual({ lockout: replaced, endedMs: null });
    expect(replaced).toMatchObject({ failedAttempts: 5, lockoutCount: 2 });
  });

  test('locks a name without a record', () => {
    expect(afterAdminLock(undefined, null, START_MS)).toMatchObject({
      failedAttempts: 0,
      lockoutCount: 1,
      lastChangeMs: START_MS,
    });
  });

  test.each([
    ['failures caused', failures(5, START_MS)],
    ['an administrator set', afterAdminLock(failures(3, START_MS), 'why', START_MS)],
  ])('ends a lock that %s, and keeps the count', (_, locked) => {
    const unlocked = afterAdminUnlock(locked, START_MS + 7);
    expect(unlocked).toEqual({
      failedAttempts: 0,
      firstFailureMs: null,
      lastChangeMs: START_MS + 7,
      lockoutCount: 1,
      lock: null,
    });
    expect(afterSuccess(unlocked).lockoutCount).toBe(0);
  });

  test('clears only the failures of an unlocked name', () => {
    const three = failures(3, START_MS);
    expect(afterAdminUnlock(three, START_MS + 7)).toMatchObject({
      failedAttempts: 0,
      lastChangeMs: START_MS,
    });
  });
});

describe('a new password', () => {
  test('ends a lock caused by failures', () => {
    expect(afterNewPassword(failures(5, START_MS), START_MS + 9)).toEqual({
      failedAttempts: 0,
      firstFailureMs: null,
      lastChangeMs: START_MS + 9,
      lockoutCount: 0,
      lock: null,
    });
  });

  test('keeps a manual lock', () => {
    const locked = afterAdminLock(failures(2, START_MS), 'why', START_MS);
    expect(afterNewPassword(locked, START_MS + 9)).toMatchObject({
      failedAttempts: 0,
      lockoutCount: 0,
      lock: { kind: 'manual', reason: 'why' },
    });
  });
});

describe('a record expires', () => {
  const keptMs = 30 * DAY_MS;

  test('thirty days after the last failure', () => {
    const one = failures(1, START_MS);
    expect(lockoutDue(one)).toEqual({ what: 'forget', atMs: START_MS + keptMs });
    expect(lockoutAt(one, START_MS + keptMs - 1).lockout).toBeDefined();
    expect(lockoutAt(one, START_MS + keptMs).lockout).toBeUndefined();
  });

  test('thirty days after the end of a lock, which is still reported then', () => {
    const locked = failures(5, START_MS);
    const endMs = START_MS + 15 * MINUTE_MS;
    expect(lockoutDue(locked)).toEqual({ what: 'end', atMs: endMs });
    expect(lockoutAt(locked, endMs + keptMs - 1).lockout?.lockoutCount).toBe(1);
    expect(lockoutAt(locked, endMs + keptMs)).toEqual({ lockout: undefined, endedMs: endMs });
  });
});

describe('a clock that is set back', () => {
  test('keeps a run together and ends it half an hour after the next failure', () => {
    const backMs = START_MS - DAY_MS;
    const two = failures(1, backMs, failures(1, START_MS));
    expect(two).toMatchObject({ failedAttempts: 2, firstFailureMs: backMs });
    expect(failures(1, backMs + 31 * MINUTE_MS, two).failedAttempts).toBe(1);
  });
});
