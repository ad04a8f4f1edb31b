/**
 * Capitals of bettors that get 1 more before each evaluation: evidence of a change that may have
 * come at any time.
 *
 * Ten bettors each stake a fixed share of their capital. While no bettor expects to win, the mean
 * capital grows by 1 for each evaluation at most, so it takes A evaluations on average, or more,
 * until it reaches A. J. Shin, A. Ramdas and A. Rinaldo, "E-detectors: a nonparametric framework
 * for sequential change detection" (2022), show this for any such evidence.
 */
import { plusOne, product, quotient, type Scaled, scaledZero, unitsOf } from './scaled-number.js';
import { SHARE_UNITS, SHARES, UTILITY_UNITS, WEALTH_MAX, WEALTH_UNITS } from './wealth-policy.js';

/** What the bettors have, in the order of their shares. */
export type Capitals = readonly Scaled[];

/** The capitals before the first evaluation. */
export const noCapitals: Capitals = SHARES.map(() => scaledZero);

/** Returns the capitals after a gain, in thousandths of the stake, from -1,000 to 1,000. */
export function capitalsAfter(capitals: Capitals, gain: number): Capitals {
  const stake = SHARE_UNITS * UTILITY_UNITS;
  return SHARES.map((share, at) => {
    const capital = plusOne(capitals[at] ?? scaledZero);
    return product(capital, quotient(stake + share * gain, stake));
  });
}

/** Returns the mean of all capitals in units, each part rounded down. */
export function meanOf(capitals: Capitals): number {
  const part = WEALTH_UNITS / capitals.length;
  const total = capitals.reduce((sum, each) => sum + unitsOf(each, part, WEALTH_MAX), 0);
  return Math.min(WEALTH_MAX, total);
}
