/**
 * The algorithm `betting_e_process_v1`: decides about a candidate as soon as the wealth of bets on
 * its differences is enough, or that of the opposite bets. Arithmetic on integers only; utilities
 * and the numbers of the policy count in thousandths.
 */
import {
  type Figures,
  isWithinBudgets,
  type Judgement,
  type Measurement,
} from './hoeffding-policy.js';
import type { Finding } from './procedure-states.js';
import type { PolicyParameters } from './schema.js';
import {
  type BettingFigures,
  type DifferenceCounts,
  exchanged,
  lowerBound,
  UTILITY_UNITS,
  WEALTH_UNITS,
  wealthOf,
  withTrials,
} from './wealth-policy.js';

/** The evidence of a procedure as it stands. */
export interface BettingStanding {
  readonly wealth: number;
  readonly opposingWealth: number;
  readonly decidingWealth: number;
  readonly lowerBound: number;
  readonly upperBound: number;
  readonly trialsLeft: number;
  /** Null when the remaining trials are too few, or none may follow. */
  readonly winsToAccept: number | null;
  /** Null when none may follow. */
  readonly lossesToReject: number | null;
}

/** The figures of the bets before the first trial. */
const noBets: BettingFigures = { differences: [], utilities: 0 };

/** Units in a `confidence_delta` of 1. */
const DELTA_UNITS = 1_000_000_000;

/** Counts a trial, and decides if the evidence is enough. */
export function judgeBet(
  policy: PolicyParameters,
  before: Figures,
  measured: Measurement,
): Judgement {
  const bets = withTrial(before.betting ?? noBets, measured, 1);
  const count = before.qualificationCount + 1;
  const isOver = !isWithinBudgets(policy, measured);
  const budgetViolations = before.budgetViolations + (isOver ? 1 : 0);
  const finding = findingOf(policy, bets, budgetViolations);
  const sum = bets.differences.reduce((all, [difference, trials]) => all + difference * trials, 0);
  const isDecided = finding !== 'more_trials';
  const figures: Figures = {
    ...before,
    qualificationCount: count,
    meanImprovement: shownMean(sum, count),
    meanCandidateUtility: shownMean(bets.utilities, count),
    budgetViolations,
    lowerImprovementBound: isDecided ? boundOf(bets.differences, decidingWealth(policy)) : null,
    betting: bets,
  };
  return { figures, finding };
}

/** Returns wealth, bounds and what would decide next. */
export function bettingStanding(
  policy: PolicyParameters,
  { betting = noBets, qualificationCount, budgetViolations }: Figures,
  isOpen: boolean,
): BettingStanding {
  const enough = decidingWealth(policy);
  const least = thousandths(policy.min_improvement);
  const opposite = exchanged(betting.differences);
  const trialsLeft = policy.qualification_trials - qualificationCount;
  const fewest = (finding: readonly Finding[], utilities: readonly [number, number]) => {
    const [baselineUtility, candidateUtility] = utilities;
    return firstOf(trialsLeft, (trials) => {
      const bets = withTrial(betting, { baselineUtility, candidateUtility }, trials);
      return finding.includes(findingOf(policy, bets, budgetViolations));
    });
  };
  return {
    wealth: wealthOf(betting.differences, least) / WEALTH_UNITS,
    opposingWealth: wealthOf(opposite, -least) / WEALTH_UNITS,
    decidingWealth: enough / WEALTH_UNITS,
    lowerBound: boundOf(betting.differences, enough),
    upperBound: 0 - boundOf(opposite, enough),
    trialsLeft,
    winsToAccept: isOpen ? fewest(['evidence_suffices'], [0, 1]) : null,
    lossesToReject: isOpen ? fewest(['evidence_against', 'gate_failed'], [1, 0]) : null,
  };
}

/** Returns the wealth that decides, in units: 1 / delta, rounded up. */
export function decidingWealth({ confidence_delta: delta }: PolicyParameters): number {
  return Math.ceil((WEALTH_UNITS * DELTA_UNITS) / Math.max(1, Math.round(delta * DELTA_UNITS)));
}

/** Returns a utility or a difference in thousandths, rounded to the nearest; a half rounds up. */
function thousandths(value: number): number {
  return Math.round(value * UTILITY_UNITS);
}

function boundOf(differences: DifferenceCounts, enough: number): number {
  return lowerBound(differences, enough) / UTILITY_UNITS;
}

function withTrial(
  { differences, utilities }: BettingFigures,
  measured: Pick<Measurement, 'baselineUtility' | 'candidateUtility'>,
  trials: number,
): BettingFigures {
  const candidate = thousandths(measured.candidateUtility);
  const difference = candidate - thousandths(measured.baselineUtility);
  return {
    differences: withTrials(differences, difference, trials),
    utilities: utilities + candidate * trials,
  };
}

function findingOf(policy: PolicyParameters, bets: BettingFigures, violations: number): Finding {
  if (violations > 0) return 'budget_exceeded';
  const { differences, utilities } = bets;
  const count = differences.reduce((all, [, trials]) => all + trials, 0);
  const enough = decidingWealth(policy);
  const least = thousandths(policy.min_improvement);
  const isUseful = utilities >= thousandths(policy.min_candidate_utility) * count;
  if (isUseful && wealthOf(differences, least) >= enough) return 'evidence_suffices';
  if (wealthOf(exchanged(differences), -least) >= enough) return 'evidence_against';
  return count < policy.qualification_trials ? 'more_trials' : 'gate_failed';
}

/** Returns the mean of a sum in thousandths, rounded down to a millionth. */
function shownMean(sum: number, count: number): number {
  return Math.floor((sum * 1_000) / count) / 1_000_000;
}

/** Returns the least number up to `most` for which a monotone condition holds, or null. */
function firstOf(most: number, holds: (trials: number) => boolean): number | null {
  if (most < 1 || !holds(most)) return null;
  let [below, known] = [0, most];
  while (known - below > 1) {
    const middle = Math.floor((below + known) / 2);
    if (holds(middle)) known = middle;
    else below = middle;
  }
  return known;
}
