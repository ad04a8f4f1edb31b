/**
 * Wealth of bets on differences of utilities: evidence that may be looked at after every trial.
 *
 * A bettor who stakes a share of its wealth on "the mean difference is above m" multiplies it by
 * 1 + share (d - m) / (1 + m) at each difference d. If the mean is not above m, the wealth is not
 * expected to grow, so it ever reaches 1 / delta with probability delta at most (J. Ville, "Étude
 * critique de la notion de collectif", 1939). Ten bettors with fixed shares divide the stake, which
 * keeps that property and needs no choice that depends on the data. I. Waudby-Smith and A. Ramdas,
 * "Estimating means of bounded random variables by betting", Journal of the Royal Statistical
 * Society B 86 (2024), show why such wealth grows fast.
 *
 * The product does not depend on the order of trials, so counts of differences are all the state.
 * Every value is an integer below 2^53 and every rounding is downwards: the result is the same on
 * all machines, and never more than the exact wealth.
 */
import { power, product, quotient, scaledOne, unitsOf } from './scaled-number.js';

/** Differences of utilities in thousandths, ascending, each with the number of its trials. */
export type DifferenceCounts = readonly (readonly [difference: number, trials: number])[];

/** What bets need of the trials so far. */
export interface BettingFigures {
  readonly differences: DifferenceCounts;
  /** Sum of the candidate's utilities, in thousandths. */
  readonly utilities: number;
}

/** Units in a utility of 1. */
export const UTILITY_UNITS = 1_000;

/** Units in a wealth of 1. */
export const WEALTH_UNITS = 1_000_000;

/** Greatest wealth that is told apart, in units. */
export const WEALTH_MAX = 1_000_000_000 * WEALTH_UNITS;

/** The shares of the ten bettors, in parts of {@link SHARE_UNITS}. */
export const SHARES = [1, 4, 16, 32, 48, 64, 80, 96, 112, 128] as const;

/** Parts of a whole stake. */
export const SHARE_UNITS = 128;

/** The shares of wealth that the bettors stake. */
export const BET_SHARES: readonly number[] = SHARES.map((share) => share / SHARE_UNITS);

/**
 * Returns the wealth of bets that the mean difference is above `mean`, in units. It falls when
 * `mean` rises, which is in thousandths and above -1,000.
 */
export function wealthOf(counts: DifferenceCounts, mean: number): number {
  let total = 0;
  for (const share of SHARES) {
    let wealth = scaledOne;
    for (const [difference, trials] of counts) {
      const stake = SHARE_UNITS * (UTILITY_UNITS + mean);
      const factor = quotient(stake + share * (difference - mean), stake);
      wealth = product(wealth, power(factor, trials));
    }
    total = Math.min(WEALTH_MAX, total + unitsOf(wealth, WEALTH_UNITS / SHARES.length, WEALTH_MAX));
  }
  return total;
}

/** Returns the same trials with baseline and candidate exchanged. */
export function exchanged(counts: DifferenceCounts): DifferenceCounts {
  return counts.map(([difference, trials]) => [-difference, trials] as const).reverse();
}

/**
 * Returns the greatest mean that the bets refute, in thousandths; -1,000 if they refute none. The
 * mean difference is above it at every look, with probability 1 - delta. `enough` is the wealth,
 * in units, that refutes.
 */
export function lowerBound(counts: DifferenceCounts, enough: number): number {
  let [refuted, open] = [-UTILITY_UNITS, UTILITY_UNITS];
  while (open - refuted > 1) {
    const middle = Math.floor((refuted + open) / 2);
    if (wealthOf(counts, middle) >= enough) refuted = middle;
    else open = middle;
  }
  return refuted;
}

/** Returns the counts with more trials of one difference. */
export function withTrials(
  counts: DifferenceCounts,
  difference: number,
  trials: number,
): DifferenceCounts {
  const known = counts.find(([each]) => each === difference)?.[1] ?? 0;
  const others = counts.filter(([each]) => each !== difference);
  const added = [difference, known + trials] as const;
  return [...others, added].sort(([first], [second]) => first - second);
}

/** Returns a utility or a difference in thousandths, rounded to the nearest; a half rounds up. */
export function thousandths(value: number): number {
  return Math.round(value * UTILITY_UNITS);
}
