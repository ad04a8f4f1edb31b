/** Tests the geometry of charts. */
import { describe, expect, test } from 'vitest';
import { pathOfLine, roundTop } from './chart-scale.js';

describe('the geometry of a chart', () => {
  test.each([
    [0, 1],
    [0.03, 0.05],
    [1, 1],
    [3, 5],
    [7, 10],
    [101, 200],
    [Number.NaN, 1],
  ])('the round top of %d is %d', (value, top) => {
    expect(roundTop(value)).toBeCloseTo(top, 10);
  });

  test('a line has gaps where there is no value', () => {
    const frame = { fromMs: 0, untilMs: 40, top: 10, bottom: 0, width: 400, height: 100 };
    const values = [0, 10, undefined, 5, 5];
    const points = values.map((value, at) => ({ atMs: at * 10, value }));
    const path = 'M0.0 100.0h0L100.0 0.0M300.0 50.0h0L400.0 50.0';
    expect(pathOfLine(points, frame)).toBe(path);
  });

  test('a single point is drawn, too', () => {
    const frame = { fromMs: 5, untilMs: 5, top: 1, bottom: 0, width: 10, height: 10 };
    expect(pathOfLine([{ atMs: 5, value: 1 }], frame)).toBe('M0.0 0.0h0');
  });
});
