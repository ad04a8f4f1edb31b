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
  const least = Math.round(rules.min_improvement * 1_000);
  const isEnough = isRefuted(differencesOf(bets), least, exactThreshold(rules));
  return isEnough && isUseful(bets, rules) ? 'Active' : stateUnlessAccepted(bets, rules);
}

/** Returns the state after the last trial of a candidate that is not accepted. */
export function stateUnlessAccepted(bets: readonly Bet[], rules: BettingRules) {
  const least = Math.round(rules.min_improvement * 1_000);
  const opposite = differencesOf(bets).map((difference) => -difference);
  if (isRefuted(opposite, -least, exactThreshold(rules))) return 'Rejected';
  return bets.length < rules.qualification_trials ? 'Candidate' : 'Rejected';
}

/** The rules of candidates that are admitted together. */
export interface FamilyRules extends BettingRules {
  readonly max_candidates: number;
}

/**
 * Returns which candidates are accepted together: the most that each have max_candidates divided by
 * their number and by delta. Rejected ones are left out by the caller.
 */
export function acceptedTogether<T extends { readonly bets: readonly Bet[] }>(
  candidates: readonly T[],
  rules: FamilyRules,
): readonly T[] {
  const least = Math.round(rules.min_improvement * 1_000);
  const most = BigInt(rules.max_candidates);
  for (let size = candidates.length; size > 0; size -= 1) {
    const parts = BigInt(size);
    const threshold = (exactThreshold(rules) * most + parts - 1n) / parts;
    const enough = candidates.filter(
      ({ bets }) => isUseful(bets, rules) && isRefuted(differencesOf(bets), least, threshold),
    );
    if (enough.length >= size) return enough;
  }
  return [];
}

/**
 * Returns whether monitored evaluations, in their order, suspend a procedure: whether the mean
 * capital of twenty bettors reaches `trials`.
 */
export function isDegraded(bets: readonly Bet[], minUtility: number, trials: number): boolean {
  const unit = 128_000n;
  const minimum = Math.round(minUtility * 1_000);
  const capitals = [...SHARES, ...SHARES].map(() => 0n);
  let under = 1n;
  for (const { baseline, candidate } of bets) {
    const gains = [baseline - candidate, minimum - candidate];
    capitals.forEach((capital, at) => {
      const share = SHARES[at % SHARES.length]!;
      const gain = BigInt(gains[Math.floor(at / SHARES.length)]!);
      capitals[at] = (capital + under) * (unit + share * gain);
    });
    under *= unit;
    const total = capitals.reduce((sum, capital) => sum + capital, 0n);
    if (total >= BigInt(trials * capitals.length) * under) return true;
  }
  return false;
}

function differencesOf(bets: readonly Bet[]): number[] {
  return bets.map(({ baseline, candidate }) => candidate - baseline);
}

function isUseful(bets: readonly Bet[], { min_candidate_utility }: BettingRules): boolean {
  const useful = Math.round(min_candidate_utility * 1_000) * bets.length;
  return bets.reduce((sum, { candidate }) => sum + candidate, 0) >= useful;
}
