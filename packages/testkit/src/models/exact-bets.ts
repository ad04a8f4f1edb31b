/**
 * Bets on differences of utilities in exact fractions (docs/contract/learning.md), which keep every
 * trial: the second implementation that the rounded one is compared with.
 */

/** One trial, with both utilities in thousandths. */
export interface Bet {
  readonly baseline: number;
  readonly candidate: number;
}

/** What decides about a candidate. */
export interface BettingRules {
  readonly qualification_trials: number;
  readonly confidence_delta: number;
  readonly min_improvement: number;
  readonly min_candidate_utility: number;
}

/** A fraction that is not reduced; the denominator is positive. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** The shares in 128ths: 1/128, 1/32 and the eighths. */
const SHARES = [1n, 4n, ...Array.from({ length: 8 }, (_, at) => 16n * BigInt(at + 1))];

/** Returns the exact wealth of bets that the mean difference is above `mean`, in thousandths. */
export function exactWealth(differences: readonly number[], mean: number): Fraction {
  const above = differences.map((difference) => BigInt(difference - mean));
  const room = 128n * BigInt(1_000 + mean);
  const over = SHARES.reduce(
    (sum, share) => sum + above.reduce((product, each) => product * (room + share * each), 1n),
    0n,
  );
  return { over, under: BigInt(SHARES.length) * room ** BigInt(differences.length) };
}

/** Returns the wealth that decides, in millionths: 1 / delta, rounded up. */
export function exactThreshold({ confidence_delta }: Pick<BettingRules, 'confidence_delta'>) {
  const billionths = BigInt(Math.round(confidence_delta * 1e9));
  return (10n ** 15n + billionths - 1n) / billionths;
}

/** Returns whether bets on a mean refute it. */
export function isRefuted(differences: readonly number[], mean: number, threshold: bigint) {
  const { over, under } = exactWealth(differences, mean);
  return over * 1_000_000n >= threshold * under;
}

/** Returns the greatest refuted mean in thousandths, or -1,000. */
export function exactLowerBound(differences: readonly number[], threshold: bigint): number {
  let bound = -1_000;
  for (let step = 1_024; step >= 1; step /= 2) {
    const next = bound + step;
    if (next < 1_000 && isRefuted(differences, next, threshold)) bound = next;
  }
  return bound;
}

/** Returns the state that a candidate has after its last trial, all of them within the budgets. */
export function stateOfBets(bets: readonly Bet[], rules: BettingRules) {
  const differences = bets.map(({ baseline, candidate }) => candidate - baseline);
  const threshold = exactThreshold(rules);
  const least = Math.round(rules.min_improvement * 1_000);
  const useful = Math.round(rules.min_candidate_utility * 1_000) * bets.length;
  const isUseful = bets.reduce((sum, { candidate }) => sum + candidate, 0) >= useful;
  if (isUseful && isRefuted(differences, least, threshold)) return 'Active';
  const opposite = differences.map((difference) => -difference);
  if (isRefuted(opposite, -least, threshold)) return 'Rejected';
  return bets.length < rules.qualification_trials ? 'Candidate' : 'Rejected';
}
