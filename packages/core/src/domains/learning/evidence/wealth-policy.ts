/**
 * Wealth of bets on differences of utilities: evidence that may be looked at after every trial.
 *
 * A bettor who stakes a share of its wealth on "the mean difference is above m" multiplies it by 1
 * + share (d - m) / (1 + m) at each difference d. If the mean is not above m, the wealth is not
 * expected to grow, so it ever reaches 1 / delta with probability delta at most (J. Ville, "Étude
 * critique de la notion de collectif", 1939). Ten bettors with fixed shares divide the stake,
 * which keeps that property and needs no choice that depends on the data. I. Waudby-Smith and A.
 * Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
 * Statistical Society B 86 (2024), show why such wealth grows fast.
 *
 * The product does not depend on the order of trials, so counts of differences are all the state.
 * Every value is an integer below 2^53 and every rounding is downwards: the result is the same on
 * all machines, and never more than the exact wealth.
 *
 * Capitals of bettors that get 1 more before each evaluation: evidence of a change that may have
 * come at any time.
 *
 * Ten bettors each stake a fixed share of their capital. While no bettor expects to win, the mean
 * capital grows by 1 for each evaluation at most, so it takes A evaluations on average, or more,
 * until it reaches A. J. Shin, A. Ramdas and A. Rinaldo, "E-detectors: a nonparametric framework
 * for sequential change detection" (2022), show this for any such evidence.
 *
 * Positive numbers of any size in integers below 2^53, for evidence that is multiplied trial by
 * trial. Every rounding is downwards, and the same on all machines.
 */

/** A value is mantissa * 2^exponent; the mantissa has 26 bits, so that a product is an integer. */
interface Scaled {
  readonly mantissa: number;
  readonly exponent: number;
}

const MANTISSA_LEAST = 2 ** 25;

/** 1. */
const scaledOne: Scaled = { mantissa: MANTISSA_LEAST, exponent: -25 };

/** 0. */
const scaledZero: Scaled = { mantissa: 0, exponent: 0 };

/** Divides integers of up to 20 bits. */
function quotient(dividend: number, divisor: number): Scaled {
  if (dividend === 0) return scaledZero;
  const digits = Math.clz32(dividend) - Math.clz32(divisor);
  const scaled = dividend * MANTISSA_LEAST * (digits < 0 ? 1 / (1 << -digits) : 1 << digits);
  const mantissa = Math.floor(scaled / divisor);
  return mantissa >= MANTISSA_LEAST
    ? { mantissa, exponent: -25 - digits }
    : { mantissa: Math.floor((2 * scaled) / divisor), exponent: -26 - digits };
}

/** Multiplies. */
function product(first: Scaled, second: Scaled): Scaled {
  const whole = first.mantissa * second.mantissa;
  if (whole === 0) return scaledZero;
  const divisor = whole < 2 * MANTISSA_LEAST ** 2 ? MANTISSA_LEAST : 2 * MANTISSA_LEAST;
  const exponent = first.exponent + second.exponent + (divisor === MANTISSA_LEAST ? 25 : 26);
  return { mantissa: Math.floor(whole / divisor), exponent };
}

/** Adds 1. */
function plusOne(value: Scaled): Scaled {
  const { mantissa, exponent } = value;
  if (mantissa === 0 || exponent <= -51) return scaledOne;
  if (exponent > 0) return value;
  // At most 2^51, in units of 2^exponent.
  const whole = mantissa + 2 ** -exponent;
  let digits = 0;
  while (whole >= 2 ** (26 + digits)) digits += 1;
  return { mantissa: Math.floor(whole / 2 ** digits), exponent: exponent + digits };
}

/** Raises to a power by squaring, from the lowest binary digit of the exponent. */
function power(base: Scaled, exponent: number): Scaled {
  let result = scaledOne;
  let squared = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, squared);
    if (rest > 1) squared = product(squared, squared);
  }
  return result;
}

/** Returns how many units a value has, where 1 has `unitsPerOne`; `most` at the most. */
function unitsOf({ mantissa, exponent }: Scaled, unitsPerOne: number, most: number): number {
  let value = mantissa * unitsPerOne;
  let rest = exponent;
  for (; rest > 0 && value < most; rest -= 1) value *= 2;
  for (; rest < 0 && value >= 1; rest += 1) value /= 2;
  return Math.min(most, Math.floor(value));
}

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
const SHARE_UNITS = 128;

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
