/** The manual clock of tests. */
import { expect, test } from 'vitest';
import { ManualClock } from './manual-clock.js';

test('time passes only when a test advances the clock', () => {
  const clock = new ManualClock(1_000);
  expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
  clock.advance(50);
  expect([clock.now(), clock.monotonic()]).toEqual([1_050, 50]);
});

test('a step of the wall clock does not change monotonic time', () => {
  const clock = new ManualClock(1_000);
  clock.stepTo(10);
  expect([clock.now(), clock.monotonic()]).toEqual([10, 0]);
});

test('the clock cannot advance backwards', () => {
  expect(() => new ManualClock().advance(-1)).toThrow(RangeError);
});
