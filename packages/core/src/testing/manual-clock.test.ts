/** Tests the clock that tests move. */
import { expect, test } from 'vitest';
import { ManualClock } from './manual-clock.js';

test('stands still until it is moved', () => {
  const clock = new ManualClock(1_000);
  expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
  clock.advance(50);
  expect([clock.now(), clock.monotonic()]).toEqual([1_050, 50]);
});

test('a step of the wall clock leaves monotonic time alone', () => {
  const clock = new ManualClock(1_000);
  clock.stepTo(10);
  expect([clock.now(), clock.monotonic()]).toEqual([10, 0]);
});

test('time that passes never runs backwards', () => {
  expect(() => new ManualClock().advance(-1)).toThrow(RangeError);
});
