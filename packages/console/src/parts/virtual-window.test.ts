/** Which rows of a long list are drawn, and when more are loaded. */
import { expect, test } from 'vitest';
import { isNearEnd, rowsInView } from './virtual-window.js';

const view = { height: 640, rowHeight: 64 };

test('draws a screen of rows and a few around it, however long the list is', () => {
  for (const scrolled of [0, 64_000, 6_400_000 - 640]) {
    const { from, before } = rowsInView({ ...view, scrolled, rows: 100_000 });
    expect(before - from).toBeLessThanOrEqual(10 + 2 * 8);
    expect(from * 64).toBeLessThanOrEqual(scrolled);
    expect(before * 64).toBeGreaterThanOrEqual(scrolled + 640);
  }
});

test('draws the last rows when a list became shorter than what was scrolled', () => {
  expect(rowsInView({ ...view, scrolled: 64_000, rows: 20 })).toEqual({ from: 20, before: 20 });
});

test('loads more fifty rows before the end, and a screen before it where that is more', () => {
  expect(isNearEnd({ from: 0, before: 26 }, 100)).toBe(false);
  expect(isNearEnd({ from: 24, before: 50 }, 100)).toBe(false);
  expect(isNearEnd({ from: 25, before: 51 }, 100)).toBe(true);
  expect(isNearEnd({ from: 0, before: 80 }, 150)).toBe(true);
  expect(isNearEnd({ from: 0, before: 8 }, 8)).toBe(true);
});
