/** Totals are known or unknown, never decrease, and are compared with a budget. */
import { describe, expect, test } from 'vitest';
import { isBelowObserved, observedAfter, weighBudget } from './consumption-policy.js';

const totals = (costUnits: number | null, latencyMs: number | null) => ({ costUnits, latencyMs });

describe('totals', () => {
  test('a known total below the observed one is detected, an unknown one is not', () => {
    const observed = totals(9, null);
    expect(isBelowObserved(totals(8, null), observed)).toBe(true);
    expect(isBelowObserved(totals(9, 0), observed)).toBe(false);
    expect(isBelowObserved(totals(null, 0), observed)).toBe(false);
    expect(isBelowObserved(totals(0, 0), totals(null, 1))).toBe(true);
    expect(isBelowObserved(totals(0, 0), totals(null, null))).toBe(false);
  });

  test('an unknown total keeps the observed one, and 0 is known', () => {
    expect(observedAfter(totals(null, 7), totals(9, 5))).toEqual(totals(9, 7));
    expect(observedAfter(totals(0, null), totals(null, null))).toEqual(totals(0, null));
  });

  test.each([
    [totals(5, 5), 'within'],
    [totals(0, 0), 'within'],
    [totals(6, 5), 'over'],
    [totals(null, 6), 'over'],
    [totals(6, null), 'over'],
    [totals(null, 5), 'unknown'],
    [totals(5, null), 'unknown'],
    [totals(null, null), 'unknown'],
  ] as const)('%j is %s a budget of 5 and 5', (reported, verdict) => {
    expect(weighBudget(reported, { costUnits: 5, latencyMs: 5 })).toBe(verdict);
  });
});
