/**
 * Leaks are distinguished from noise.
 */
import { expect, test } from 'vitest';
import { Chooser } from '../fuzz/chooser.js';
import { isFlat, tendencyOf } from './tendency.js';

const chooser = new Chooser(3);
const noise = (): number => chooser.below(20);
const readings = (valueAt: (index: number) => number): number[] =>
  Array.from({ length: 90 }, (_unused, index) => valueAt(index));
const tolerance = { share: 0.1, least: 5 };

test.each([
  ['noise', readings(() => 100 + noise())],
  ['a start that fills caches', readings((index) => Math.min(100, index * 4) + noise())],
  ['a single peak', readings((index) => (index === 80 ? 10_000 : 100 + noise()))],
  ['a falling series', readings((index) => 1_000 - index * 5 + noise())],
  ['a sawtooth', readings((index) => 100 + (index % 10) * 5)],
])('%s is flat', (_name, values) => {
  expect(isFlat(tendencyOf(values), tolerance)).toBe(true);
});

test.each([
  ['a steady leak', readings((index) => 100 + index + noise())],
  ['a slow leak', readings((index) => 1_000 + index * 3 + noise())],
  ['a leak in steps', readings((index) => 100 + Math.floor(index / 15) * 10)],
])('%s is not flat', (_name, values) => {
  expect(isFlat(tendencyOf(values), tolerance)).toBe(false);
});

test('a rise has the unit of the readings', () => {
  expect(tendencyOf(readings((index) => 100 + 2 * index))).toEqual({ middle: 220, rise: 118 });
});
