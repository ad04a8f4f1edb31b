/**
 * The algorithm `fixed_budget_hoeffding_v1`: the running figures of a procedure, the lower bound of
 * its true improvement, and the effect of each accepted evaluation. Arithmetic on doubles only.
 *
 * The bound is that of W. Hoeffding, "Probability Inequalities for Sums of Bounded Random
 * Variables", Journal of the American Statistical Association 58 (1963), theorem 2: for the mean of
 * n independent values that each lie in a range of width R, P(mean - expectation >= t) is at most
 * exp(-2 n t^2 / R^2). A difference of two utilities lies in -1..1, so R is 2; with probability
 * 1 - delta the expectation is above mean - sqrt(2 ln(1/delta) / n).
 */
import type { PolicyParameters } from '../policy/schema.js';
import type { BettingFigures, Capitals } from './wealth-policy.js';

/** The least possible improvement. */
const IMPROVEMENT_MIN = -1;

/** The capitals of bets that a procedure in use has become worse. */
export interface DegradationFigures {
  /** Of bets that its utility is below that of the baseline. */
  readonly onDifference: Capitals;
  /** Of bets that its utility is below the minimum. */
  readonly onUtility: Capitals;
}

/** The running figures of a procedure. */
export interface Figures {
  readonly qualificationCount: number;
  /** Mean of candidate minus baseline over the trials. */
  readonly meanImprovement: number;
  readonly meanCandidateUtility: number;
  /** Trials that went over a budget. */
  readonly budgetViolations: number;
  /** Null until the last trial. */
  readonly lowerImprovementBound: number | null;
  readonly monitoringCount: number;
  /** Failed evaluations since the last good one. */
  readonly failureStreak: number;
  /** Only where the policy bets, after the first trial. */
  readonly betting?: BettingFigures;
  /** Only where the policy suspends by evidence, after the first monitored evaluation. */
  readonly degradation?: DegradationFigures;
}

/** Figures before the first evaluation. */
export const noFigures: Figures = {
  qualificationCount: 0,
  meanImprovement: 0,
  meanCandidateUtility: 0,
  budgetViolations: 0,
  lowerImprovementBound: null,
  monitoringCount: 0,
  failureStreak: 0,
};

/** The measurement of an accepted evaluation; utilities are in 0..1. */
export interface Measurement {
  readonly baselineUtility: number;
  readonly candidateUtility: number;
  readonly costUnits: number;
  readonly latencyMs: number;
}

/** The finding of an accepted evaluation. */
export type Finding =
  | 'more_trials'
  | 'gates_passed'
  | 'gate_failed'
  | 'evidence_suffices'
  | 'evidence_against'
  | 'budget_exceeded'
  | 'good'
  | 'bad'
  | 'bad_too_often'
  | 'degraded';

/** Figures after an evaluation, and its finding. */
export interface Judgement {
  readonly figures: Figures;
  readonly finding: Finding;
}

/** Counts a trial. Only the last one decides. */
export function judgeTrial(
  policy: PolicyParameters,
  before: Figures,
  measured: Measurement,
): Judgement {
  const count = before.qualificationCount + 1;
  const improvement = measured.candidateUtility - measured.baselineUtility;
  const figures: Figures = {
    ...before,
    qualificationCount: count,
    meanImprovement: runningMean(before.meanImprovement, improvement, count),
    meanCandidateUtility: runningMean(
      before.meanCandidateUtility,
      measured.candidateUtility,
      count,
    ),
    budgetViolations: before.budgetViolations + (isWithinBudgets(policy, measured) ? 0 : 1),
  };
  if (count < policy.qualification_trials) return { figures, finding: 'more_trials' };
  const bound = lowerImprovementBound(figures.meanImprovement, count, policy.confidence_delta);
  const decided = { ...figures, lowerImprovementBound: bound };
  return {
    figures: decided,
    finding: passesGates(policy, decided, bound) ? 'gates_passed' : 'gate_failed',
  };
}

/** Counts an evaluation of an active procedure; the figures of its trials stay. */
export function judgeMonitoring(
  policy: PolicyParameters,
  before: Figures,
  measured: Measurement,
): Judgement {
  const monitoringCount = before.monitoringCount + 1;
  if (isGood(policy, measured)) {
    return { figures: { ...before, monitoringCount, failureStreak: 0 }, finding: 'good' };
  }
  const failureStreak = before.failureStreak + 1;
  const isTooOften = failureStreak >= policy.max_failure_streak;
  return {
    figures: { ...before, monitoringCount, failureStreak },
    finding: isTooOften ? 'bad_too_often' : 'bad',
  };
}

/**
 * Returns the mean of `count` values from the mean of all but the last (B. P. Welford, "Note on a
 * Method for Calculating Corrected Sums of Squares and Products", Technometrics 4 (1962)). Values
 * that are all equal have exactly that mean, and no sum grows without bound.
 */
export function runningMean(meanBefore: number, value: number, count: number): number {
  return meanBefore + (value - meanBefore) / count;
}

/** Returns how far below the mean the true improvement may be, with probability 1 - `delta`. */
export function confidenceRadius(trials: number, delta: number): number {
  // -ln(delta) is ln(1 / delta), also where 1 / delta is not finite.
  return Math.sqrt((-2 * Math.log(delta)) / trials);
}

/** Returns the lower bound of the improvement with probability 1 - `delta`; at least -1. */
export function lowerImprovementBound(mean: number, trials: number, delta: number): number {
  return Math.max(IMPROVEMENT_MIN, mean - confidenceRadius(trials, delta));
}

function passesGates(policy: PolicyParameters, figures: Figures, bound: number): boolean {
  return (
    bound >= policy.min_improvement &&
    figures.meanCandidateUtility >= policy.min_candidate_utility &&
    figures.budgetViolations === 0
  );
}

/** Returns whether an evaluation is within both budgets and useful enough. */
export function isGood(policy: PolicyParameters, measured: Measurement): boolean {
  return (
    isWithinBudgets(policy, measured) &&
    measured.candidateUtility >= policy.min_candidate_utility &&
    measured.candidateUtility >= measured.baselineUtility
  );
}

/** Returns whether an evaluation stayed within both budgets. */
export function isWithinBudgets(
  policy: PolicyParameters,
  { costUnits, latencyMs }: Measurement,
): boolean {
  return costUnits <= policy.max_cost_units && latencyMs <= policy.max_latency_ms;
}
