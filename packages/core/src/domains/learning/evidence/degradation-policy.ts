/**
 * Suspends an active procedure when the evidence is enough that it has become worse: bettors stake
 * their capital on a lower utility than that of the baseline, and on one below the minimum of the
 * policy. Arithmetic as that of the bets.
 */
import { capitalsAfter, meanOf, noCapitals, thousandths, WEALTH_UNITS } from './wealth-policy.js';
import {
  type DegradationFigures,
  type Figures,
  type Finding,
  isGood,
  isWithinBudgets,
  type Judgement,
  type Measurement,
} from './hoeffding-policy.js';
import type { PolicyParameters } from '../policy/schema.js';

/** The evidence that a procedure has become worse. */
export interface DegradationStanding {
  readonly evidence: number;
  readonly decidingEvidence: number;
  /** Null when none may follow. */
  readonly lossesToSuspend: number | null;
}

/** Before the first monitored evaluation. */
const noDegradation: DegradationFigures = { onDifference: noCapitals, onUtility: noCapitals };

const WORST: Measurement = { baselineUtility: 1, candidateUtility: 0, costUnits: 0, latencyMs: 0 };

/** Returns whether a policy suspends by evidence instead of a number of failures in a row. */
export function watchesDegradation({ false_suspension_trials: trials }: PolicyParameters): boolean {
  return trials !== undefined;
}

/** Counts an evaluation of an active procedure. */
export function judgeDegradation(
  policy: PolicyParameters,
  before: Figures,
  measured: Measurement,
): Judgement {
  const isBad = !isGood(policy, measured);
  const degradation = withEvaluation(policy, before.degradation, measured);
  const figures: Figures = {
    ...before,
    monitoringCount: before.monitoringCount + 1,
    failureStreak: isBad ? before.failureStreak + 1 : 0,
    degradation,
  };
  const isDecided = evidenceOf(degradation) >= decidingEvidence(policy);
  const finding: Finding = isBad ? 'bad' : 'good';
  return { figures, finding: isDecided ? 'degraded' : finding };
}

/** Returns the evidence, and what would suspend next. */
export function degradationStanding(
  policy: PolicyParameters,
  { degradation = noDegradation }: Figures,
  isOpen: boolean,
): DegradationStanding {
  const deciding = decidingEvidence(policy);
  let lossesToSuspend = 0;
  let after = degradation;
  while (isOpen && evidenceOf(after) < deciding) {
    after = withEvaluation(policy, after, WORST);
    lossesToSuspend += 1;
  }
  return {
    evidence: evidenceOf(degradation) / WEALTH_UNITS,
    decidingEvidence: deciding / WEALTH_UNITS,
    lossesToSuspend: isOpen ? lossesToSuspend : null,
  };
}

/** An evaluation over a budget counts as a utility of 0. */
function withEvaluation(
  policy: PolicyParameters,
  { onDifference, onUtility }: DegradationFigures = noDegradation,
  measured: Measurement,
): DegradationFigures {
  const isWithin = isWithinBudgets(policy, measured);
  const utility = isWithin ? thousandths(measured.candidateUtility) : 0;
  const missing = thousandths(measured.baselineUtility) - utility;
  const tooLow = thousandths(policy.min_candidate_utility) - utility;
  return {
    onDifference: capitalsAfter(onDifference, missing),
    onUtility: capitalsAfter(onUtility, tooLow),
  };
}

function evidenceOf({ onDifference, onUtility }: DegradationFigures): number {
  return meanOf([...onDifference, ...onUtility]);
}

function decidingEvidence({ false_suspension_trials: trials = 0 }: PolicyParameters): number {
  return trials * WEALTH_UNITS;
}
