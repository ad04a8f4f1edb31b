/** The wealth of bets agrees with exact fractions, and is never more than the exact wealth. */
import { exactLowerBound, exactWealth, isRefuted } from '@agentkeep/testkit/exact-bets';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DifferenceCounts,
  exchanged,
  lowerBound,
  WEALTH_UNITS,
  wealthOf,
  withTrials,
} from './wealth-policy.js';

const difference = fc.oneof(
  fc.constantFrom(-1_000, 0, 1_000, 1_000),
  fc.integer({ min: -1_000, max: 1_000 }),
);
const history = fc.array(difference, { maxLength: 60 });
const mean = fc.oneof(fc.constant(0), fc.integer({ min: -999, max: 999 }));

function countsOf(differences: readonly number[]): DifferenceCounts {
  return differences.reduce<DifferenceCounts>((all, each) => withTrials(all, each, 1), []);
}

test('BET-3, BET-4 the wealth is the exact one, rounded down by less than a part in a million', () => {
  fc.assert(
    fc.property(history, mean, (differences, least) => {
      const wealth = BigInt(wealthOf(countsOf(differences), least));
      const { over, under } = exactWealth(differences, least);
      const exact = (over * BigInt(WEALTH_UNITS)) / under;
      expect(wealth).toBeLessThanOrEqual(exact);
      const most = BigInt(WEALTH_UNITS) * 1_000_000_000n;
      const capped = exact < most ? exact : most;
      // Each of the ten parts may lose a unit, and each trial a few units in the 26th digit.
      expect(wealth + 11n + capped / 100_000n).toBeGreaterThanOrEqual(capped);
    }),
    { numRuns: 500 },
  );
});

test('the wealth does not depend on the order of trials', () => {
  fc.assert(
    fc.property(history, mean, (differences, least) => {
      const wealth = wealthOf(countsOf(differences), least);
      expect(wealthOf(countsOf(differences.toReversed()), least)).toBe(wealth);
      expect(wealthOf(countsOf(differences.toSorted()), least)).toBe(wealth);
    }),
  );
});

test('a bound is the greatest mean that exact fractions refute, or one step below', () => {
  const short = fc.array(difference, { minLength: 1, maxLength: 12 });
  const enough = fc.integer({ min: 2 * WEALTH_UNITS, max: 20 * WEALTH_UNITS });
  fc.assert(
    fc.property(short, enough, (differences, least) => {
      const bound = lowerBound(countsOf(differences), least);
      const exact = exactLowerBound(differences, BigInt(least));
      expect([exact, exact - 1]).toContain(bound);
      if (bound > -1_000) expect(isRefuted(differences, bound, BigInt(least))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a million trials are neither too many nor too rich', () => {
  const even: DifferenceCounts = [
    [-1_000, 500_000],
    [1_000, 500_000],
  ];
  expect(wealthOf(even, 0)).toBeLessThan(WEALTH_UNITS);
  expect(wealthOf([[1_000, 1_000_000]], 0)).toBe(WEALTH_UNITS * 1_000_000_000);
  expect(wealthOf([[-1_000, 1_000_000]], 0)).toBe(0);
  expect(wealthOf(exchanged([[-1_000, 1_000_000]]), 0)).toBe(WEALTH_UNITS * 1_000_000_000);
  expect(wealthOf([], 0)).toBe(WEALTH_UNITS);
});
