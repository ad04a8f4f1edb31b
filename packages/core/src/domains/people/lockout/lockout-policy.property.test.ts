/**
 * Random histories of a name against a slow model that recomputes each answer from the whole
 * history.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterAdminLock,
  afterAdminUnlock,
  afterFailure,
  afterNewPassword,
  afterSuccess,
  type Lockout,
  lockoutAt,
} from './lockout-policy.js';
import { showLockout } from './read-lockouts.js';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2030, 0, 1);
const MINUTES_OF_LOCK = [15, 30, 60, 120, 240, 480, 960, 1_440];

type Action = 'fail' | 'log in' | 'lock' | 'unlock' | 'new password' | 'look';

interface Step {
  readonly deed: Action;
  readonly afterMs: number;
}

/** A list of what happened; everything else is recomputed. */
class SlowName {
  /** Failures since the last event that cleared them. */
  #failures: number[] = [];
  #locks = 0;
  #end: number | 'never' | undefined;
  #reason = '';
  #touched: number | undefined;
  readonly ends: number[] = [];

  pass(nowMs: number): void {
    if (typeof this.#end === 'number' && nowMs >= this.#end) {
      this.ends.push(this.#end);
      this.#touched = this.#end;
      this.#end = undefined;
      this.#failures = [];
    }
    if (this.#end !== undefined || this.#touched === undefined) return;
    // A run is as old as the earliest time that any of its failures was seen at.
    if (this.#failures.some((failedMs) => nowMs - failedMs > 30 * MINUTE_MS)) this.#failures = [];
    if (nowMs - this.#touched >= 30 * 24 * 60 * MINUTE_MS) {
      this.#touched = undefined;
      this.#failures = [];
      this.#locks = 0;
    }
  }

  do(deed: Action, nowMs: number, reason: string): void {
    this.pass(nowMs);
    const isLocked = this.#end !== undefined;
    if (deed === 'fail' && !isLocked) this.#fail(nowMs);
    if (deed === 'log in' && !isLocked) this.#reset();
    if (deed === 'lock') {
      this.#touched ??= nowMs;
      this.#locks += 1;
      this.#end = 'never';
      this.#reason = reason;
    }
    if (deed === 'unlock') {
      if (isLocked) this.#touched = nowMs;
      this.#end = undefined;
      this.#failures = [];
    }
    if (deed === 'new password') {
      if (typeof this.#end === 'number') {
        this.#touched = nowMs;
        this.#end = undefined;
      }
      this.#reset();
    }
  }

  status(nowMs: number) {
    const isLocked = this.#end !== undefined;
    const counted = this.#failures.length;
    const endMs = typeof this.#end === 'number' ? this.#end : undefined;
    let seconds = 0;
    // Steps of a minute first: a clock that was set back by a year would take too long otherwise.
    while (endMs !== undefined && nowMs + seconds * 1_000 + MINUTE_MS < endMs) seconds += 60;
    while (endMs !== undefined && nowMs + seconds * 1_000 < endMs) seconds += 1;
    return {
      locked: isLocked,
      failed_attempts: counted,
      lockout_count: this.#locks,
      lockout_expires: endMs === undefined ? null : new Date(endMs).toISOString(),
      lockout_remaining_seconds: endMs === undefined ? null : seconds,
      remaining_attempts: isLocked ? 0 : 5 - counted,
      lockout_reason: this.#end === 'never' ? this.#reason : null,
    };
  }

  get isRemembered(): boolean {
    return this.#touched !== undefined;
  }

  #fail(nowMs: number): void {
    this.#failures.push(nowMs);
    this.#touched = nowMs;
    if (this.#failures.length < 5) return;
    this.#locks += 1;
    const minutes = MINUTES_OF_LOCK[this.#locks - 1] ?? 1_440;
    this.#end = nowMs + minutes * MINUTE_MS;
  }

  #reset(): void {
    this.#failures = [];
    this.#locks = 0;
  }
}

function become(
  lockout: Lockout | undefined,
  deed: Action,
  nowMs: number,
  reason: string,
): Lockout | undefined {
  if (deed === 'fail') return afterFailure(lockout, nowMs);
  if (deed === 'lock') return afterAdminLock(lockout, reason, nowMs);
  if (lockout === undefined || deed === 'look') return lockout;
  if (deed === 'unlock') return afterAdminUnlock(lockout, nowMs);
  if (deed === 'new password') return afterNewPassword(lockout, nowMs);
  return lockout.lock === null ? afterSuccess(lockout) : lockout;
}

const day = 24 * 60 * MINUTE_MS;
const passing = fc.oneof(
  { weight: 16, arbitrary: fc.nat({ max: 5 * MINUTE_MS }) },
  { weight: 3, arbitrary: fc.nat({ max: 3 * 60 * MINUTE_MS }) },
  { weight: 2, arbitrary: fc.constantFrom(15 * MINUTE_MS, 30 * MINUTE_MS, 30 * MINUTE_MS + 1) },
  { weight: 2, arbitrary: fc.integer({ min: -2 * day, max: 2 * day }) },
  { weight: 1, arbitrary: fc.constantFrom(30 * day, 30 * day - 1, 31 * day) },
);
const deed = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Action>('fail') },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Action[]>('log in', 'lock', 'unlock', 'new password', 'look'),
  },
);
const life: fc.Arbitrary<Step[]> = fc.array(fc.record({ deed, afterMs: passing }), {
  maxLength: 60,
  size: 'max',
});

test('random histories match the model', () => {
  let locks = 0;
  let ends = 0;
  fc.assert(
    fc.property(life, (steps) => {
      const slow = new SlowName();
      const ended: number[] = [];
      let lockout: Lockout | undefined;
      let nowMs = START_MS;
      for (const [index, step] of steps.entries()) {
        const reason = `reason ${index}`;
        nowMs += step.afterMs;
        const moment = lockoutAt(lockout, nowMs);
        if (moment.endedMs !== null) ended.push(moment.endedMs);
        lockout = become(moment.lockout, step.deed, nowMs, reason);
        slow.do(step.deed, nowMs, reason);
        expect(showLockout(lockout, nowMs)).toEqual(slow.status(nowMs));
        expect(lockout !== undefined).toBe(slow.isRemembered);
        expect(ended).toEqual(slow.ends);
        locks += Number(lockout?.lock?.kind === 'timed');
      }
      ends += ended.length;
    }),
    { numRuns: 1_000 },
  );
  // Otherwise the histories would prove little.
  expect(locks).toBeGreaterThan(500);
  expect(ends).toBeGreaterThan(50);
});
