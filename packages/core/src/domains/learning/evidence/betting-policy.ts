/**
 * The algorithm `betting_e_process_v1`: decides about a candidate as soon as the wealth of bets on
 * its differences is enough, or that of the opposite bets. Arithmetic on integers only; utilities
 * and the numbers of the policy count in thousandths.
 */
import {
  type Figures,
  type Finding,
  isWithinBudgets,
  type Judgement,
  type Measurement,
} from './hoeffding-policy.js';
import { decidingWealthBeside, type FamilyMember } from './family-policy.js';
import type { PolicyParameters } from '../policy/schema.js';
import {
  type BettingFigures,
  type DifferenceCounts,
  exchanged,
  lowerBound,
  thousandths,
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

/**
 * Counts a trial, and decides if the evidence is enough. `others` are the other candidates of the
 * same policy and context, where the policy admits them together.
 */
export function judgeBet(
  policy: PolicyParameters,
  before: Figures,
  measured: Measurement,
  others: readonly FamilyMember[] = [],
): Judgement {
  const bets = withTrial(before.betting ?? noBets, measured, 1);
  const count = before.qualificationCount + 1;
  const isOver = !isWithinBudgets(policy, measured);
  const budgetViolations = before.budgetViolations + (isOver ? 1 : 0);
  const deciding = decidingWealth(policy, others);
  const finding = findingOf(policy, bets, { violations: budgetViolations, deciding });
  const sum = bets.differences.reduce((all, [difference, trials]) => all + difference * trials, 0);
  const isDecided = finding !== 'more_trials';
  const figures: Figures = {
    ...before,
    qualificationCount: count,
    meanImprovement: shownMean(sum, count),
    meanCandidateUtility: shownMean(bets.utilities, count),
    budgetViolations,
    lowerImprovementBound: isDecided ? improvementBound(policy, bets) : null,
    betting: bets,
  };
  return { figures, finding };
}

/** Returns wealth, bounds and what would decide next. */
export function bettingStanding(
  policy: PolicyParameters,
  { betting = noBets, qualificationCount, budgetViolations: violations }: Figures,
  { isOpen, others }: { readonly isOpen: boolean; readonly others: readonly FamilyMember[] },
): BettingStanding {
  const enough = enoughAlone(policy);
  const deciding = decidingWealth(policy, others);
  const least = thousandths(policy.min_improvement);
  const opposite = exchanged(betting.differences);
  const trialsLeft = policy.qualification_trials - qualificationCount;
  const fewest = (finding: readonly Finding[], utilities: readonly [number, number]) => {
    const [baselineUtility, candidateUtility] = utilities;
    return firstOf(trialsLeft, (trials) => {
      const bets = withTrial(betting, { baselineUtility, candidateUtility }, trials);
      return finding.includes(findingOf(policy, bets, { violations, deciding }));
    });
  };
  return {
    wealth: wealthOf(betting.differences, least) / WEALTH_UNITS,
    opposingWealth: wealthOf(opposite, -least) / WEALTH_UNITS,
    decidingWealth: deciding / WEALTH_UNITS,
    lowerBound: boundOf(betting.differences, enough),
    upperBound: 0 - boundOf(opposite, enough),
    trialsLeft,
    winsToAccept: isOpen ? fewest(['evidence_suffices'], [0, 1]) : null,
    lossesToReject: isOpen ? fewest(['evidence_against', 'gate_failed'], [1, 0]) : null,
  };
}

/** Returns the wealth that accepts a candidate beside the others, in units. */
export function decidingWealth(
  policy: PolicyParameters,
  others: readonly FamilyMember[] = [],
): number {
  const enough = enoughAlone(policy);
  const { max_candidates: most } = policy;
  return most === undefined ? enough : decidingWealthBeside(others, enough, most);
}

/**
 * Returns the wealth of a candidate, in units, that counts in its family: 0 while its mean utility
 * is too low.
 */
export function admissibleWealth(policy: PolicyParameters, { betting = noBets }: Figures): number {
  if (!isUseful(policy, betting)) return 0;
  return wealthOf(betting.differences, thousandths(policy.min_improvement));
}

/** Returns the lower bound of the improvement, at the error probability of the policy. */
export function improvementBound(policy: PolicyParameters, bets: BettingFigures = noBets): number {
  return boundOf(bets.differences, enoughAlone(policy));
}

/** Returns 1 / delta in units, rounded up. */
function enoughAlone({ confidence_delta: delta }: PolicyParameters): number {
  return Math.ceil((WEALTH_UNITS * DELTA_UNITS) / Math.max(1, Math.round(delta * DELTA_UNITS)));
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

function findingOf(
  policy: PolicyParameters,
  bets: BettingFigures,
  { violations, deciding }: { readonly violations: number; readonly deciding: number },
): Finding {
  if (violations > 0) return 'budget_exceeded';
  const { differences } = bets;
  const least = thousandths(policy.min_improvement);
  const suffices = wealthOf(differences, least) >= deciding;
  if (suffices && isUseful(policy, bets)) return 'evidence_suffices';
  const opposing = wealthOf(exchanged(differences), -least);
  if (opposing >= enoughAlone(policy)) return 'evidence_against';
  return trialsOf(bets) < policy.qualification_trials ? 'more_trials' : 'gate_failed';
}

function isUseful({ min_candidate_utility }: PolicyParameters, bets: BettingFigures): boolean {
  return bets.utilities >= thousandths(min_candidate_utility) * trialsOf(bets);
}

function trialsOf({ differences }: BettingFigures): number {
  return differences.reduce((all, [, trials]) => all + trials, 0);
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
