/**
 * Plans an evaluation: what each algorithm of learning policies can see with how many trials, found
 * by simulated candidates.
 */
import { confidenceRadius } from '../evidence/hoeffding-policy.js';
import { BET_SHARES } from '../evidence/wealth-policy.js';
import type { PolicyDefinition } from '../policy/schema.js';

/** What is known before the evaluation, and what is wanted of it. At least one of the first two. */
export interface PlanOptions {
  /** Trials that one has, 2 to 10,000. */
  readonly trials?: number;
  /** Improvement that one cares for: share of successes of the candidate less the baseline's. */
  readonly difference?: number;
  /** Share of cases in which the baseline succeeds. Default 0.5. */
  readonly baseline?: number;
  /**
   * Share of cases in which the same luck decides for both, because they work on the same case in
   * the same conditions. The others are independent. Default 0.
   */
  readonly shared?: number;
  /** `confidence_delta` of the policy. Default 0.1. */
  readonly delta?: number;
  /** `min_improvement` of the policy. Default 0. */
  readonly minImprovement?: number;
  /** Probability with which a good candidate is to become active. Default 0.8. */
  readonly chance?: number;
}

/** What one algorithm can see. */
export interface AlgorithmPlan {
  readonly algorithm: PolicyDefinition['algorithm'];
  /** `qualification_trials` to set: those given, else the least that suffice; null above 10,000. */
  readonly trials: number | null;
  /** The improvement given, else the least in hundredths that is seen; null if none is. */
  readonly difference: number | null;
  /** Probability that a candidate with this improvement becomes active; null without one. */
  readonly chance: number | null;
  /** Trials after which half of the candidates that become active are; null if none do. */
  readonly usualTrials: number | null;
}

/** Most trials that a plan looks ahead. */
const PLAN_TRIALS_MAX = 10_000;
/** Trials that are looked ahead at first. */
const PLAN_TRIALS_FIRST = 400;

const ALGORITHMS = ['fixed_budget_hoeffding_v1', 'betting_e_process_v1'] as const;

/**
 * Says what each algorithm can see: with trials alone the least improvement, with an improvement
 * alone the least trials, with both the chance. Outcomes are successes and failures, and neither
 * budgets nor the least utility stand in the way. The chances are shares of 1,000 simulated
 * candidates, always the same ones, so they are off by a few hundredths.
 *
 * @throws {RangeError} A number is out of its range, or `trials` and `difference` are both absent.
 * @example
 * ```ts
 * import { planEvaluation } from '@agentkeep/core';
 *
 * for (const plan of planEvaluation({ trials: 200, baseline: 0.6 })) {
 *   console.log(plan.algorithm, 'sees an improvement of', plan.difference);
 * }
 * ```
 */
export function planEvaluation(options: PlanOptions): readonly AlgorithmPlan[] {
  const { trials, difference, baseline = 0.5, shared = 0, chance = 0.8 } = options;
  const { delta = 0.1, minImprovement = 0 } = options;
  requireRange('trials', trials, 2, PLAN_TRIALS_MAX);
  requireRange('difference', difference, 0, 1 - baseline);
  requireRange('baseline', baseline, 0, 1);
  requireRange('shared', shared, 0, 1);
  requireRange('chance', chance, 0, 1);
  requireRange('delta', delta, 1e-9, 0.5);
  requireRange('minImprovement', minImprovement, 0, 0.999);
  const assumed = { baseline, shared, delta, minImprovement };
  if (difference !== undefined) {
    return ALGORITHMS.map((algorithm) =>
      planFor(algorithm, { ...assumed, difference }, trials, chance),
    );
  }
  if (trials === undefined) throw new RangeError('Give trials, difference or both to plan with.');
  return ALGORITHMS.map((algorithm) => leastSeen(algorithm, assumed, trials, chance));
}

/** Finds the chance of some trials, or the trials that give a chance. */
function planFor(
  algorithm: AlgorithmPlan['algorithm'],
  assumed: Assumptions,
  given: number | undefined,
  wanted: number,
): AlgorithmPlan {
  const { difference } = assumed;
  let ahead = given ?? PLAN_TRIALS_FIRST;
  for (;;) {
    const shares = decidedShares(algorithm, assumed, ahead);
    const enough = shares.findIndex((share) => share >= wanted) + 1;
    if (given !== undefined || enough > 0) {
      const trials = given ?? Math.max(2, enough);
      const chance = shares[trials - 1] ?? 0;
      return {
        algorithm,
        trials,
        difference,
        chance,
        usualTrials: usual(algorithm, shares, trials),
      };
    }
    if (ahead === PLAN_TRIALS_MAX) {
      return { algorithm, trials: null, difference, chance: null, usualTrials: null };
    }
    ahead = Math.min(PLAN_TRIALS_MAX, ahead * 5);
  }
}

/** Finds the least improvement, in hundredths, that some trials show with the chance. */
function leastSeen(
  algorithm: AlgorithmPlan['algorithm'],
  assumed: Omit<Assumptions, 'difference'>,
  trials: number,
  wanted: number,
): AlgorithmPlan {
  const planned = (hundredths: number): AlgorithmPlan =>
    planFor(algorithm, { ...assumed, difference: hundredths / 100 }, trials, wanted);
  let [unseen, seen] = [0, Math.floor((1 - assumed.baseline) * 100 + 1e-9)];
  if ((planned(seen).chance ?? 0) < wanted) {
    return { algorithm, trials, difference: null, chance: null, usualTrials: null };
  }
  while (seen - unseen > 1) {
    const middle = Math.floor((unseen + seen) / 2);
    if ((planned(middle).chance ?? 0) >= wanted) seen = middle;
    else unseen = middle;
  }
  return planned(seen);
}

/** Returns when half of those that become active are: with a fixed budget always at its end. */
function usual(
  algorithm: AlgorithmPlan['algorithm'],
  shares: readonly number[],
  trials: number,
): number | null {
  const all = shares[trials - 1] ?? 0;
  if (all === 0) return null;
  if (algorithm === 'fixed_budget_hoeffding_v1') return trials;
  return shares.findIndex((share) => share >= all / 2) + 1;
}

function requireRange(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (value >= least && value <= most)) return;
  throw new RangeError(`${name} has to be a number from ${least} to ${most}, not ${value}.`);
}

/** How baseline and candidate succeed, and what the policy asks for. */
export interface Assumptions {
  readonly baseline: number;
  readonly difference: number;
  readonly shared: number;
  readonly delta: number;
  readonly minImprovement: number;
}

/** Candidates that are simulated. */
const CANDIDATES = 1_000;

/**
 * Returns, for each number of trials from 1 on, the share of candidates that are accepted by then:
 * with a fixed budget of that many trials, or by bets that look after each one.
 */
function decidedShares(
  algorithm: PolicyDefinition['algorithm'],
  assumed: Assumptions,
  trials: number,
): readonly number[] {
  const accepted = new Array<number>(trials).fill(0);
  if (algorithm === 'betting_e_process_v1') {
    for (let at = 0; at < CANDIDATES; at += 1) {
      const when = acceptedAt(differencesOf(assumed, at), assumed, trials);
      if (when !== undefined) accepted[when - 1] = (accepted[when - 1] ?? 0) + 1;
    }
    let sum = 0;
    return accepted.map((count) => (sum += count) / CANDIDATES);
  }
  const least = accepted.map(
    (_, at) => (at + 1) * (assumed.minImprovement + confidenceRadius(at + 1, assumed.delta)),
  );
  for (let at = 0; at < CANDIDATES; at += 1) {
    const differences = differencesOf(assumed, at);
    let sum = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      sum += differences();
      if (sum >= (least[trial] ?? 0)) accepted[trial] = (accepted[trial] ?? 0) + 1;
    }
  }
  return accepted.map((count) => count / CANDIDATES);
}

/** Plays the bets of one candidate, and returns the trial that accepts it. */
function acceptedAt(
  differences: () => number,
  { delta, minImprovement: least }: Assumptions,
  trials: number,
): number | undefined {
  const gains = Object.fromEntries([-1, 0, 1].map((each) => [each, factors(each, least)]));
  const losses = Object.fromEntries([-1, 0, 1].map((each) => [each, factors(-each, -least)]));
  const wealth = BET_SHARES.map(() => 1 / BET_SHARES.length);
  const opposing = [...wealth];
  for (let trial = 1; trial <= trials; trial += 1) {
    const difference = differences();
    if (grown(wealth, gains[difference]) * delta >= 1) return trial;
    if (grown(opposing, losses[difference]) * delta >= 1) return undefined;
  }
  return undefined;
}

/** Multiplies each part, and returns their sum. */
function grown(parts: number[], by: readonly number[] = []): number {
  let sum = 0;
  for (let at = 0; at < parts.length; at += 1) {
    const part = (parts[at] ?? 0) * (by[at] ?? 0);
    parts[at] = part;
    sum += part;
  }
  return sum;
}

function factors(difference: number, mean: number): readonly number[] {
  return BET_SHARES.map((share) => 1 + (share * (difference - mean)) / (1 + mean));
}

/** Returns the differences of a candidate's outcomes, always the same ones. */
function differencesOf(
  { baseline, difference, shared }: Assumptions,
  candidateNumber: number,
): () => number {
  const candidate = baseline + difference;
  const apart = 1 - shared;
  const win = shared * difference + apart * candidate * (1 - baseline);
  const loss = apart * baseline * (1 - candidate);
  let state = Math.imul(candidateNumber, 0x9e3779b9);
  return () => {
    // The finalizer of MurmurHash3 over a counter; all of it is exact in integers.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    const drawn = ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
    if (drawn < win) return 1;
    return drawn < win + loss ? -1 : 0;
  };
}
