/**
 * The states of a procedure (docs/contract/learning.md).
 */
import type {
  EvaluationSubmissionInput,
  LearningProposal,
  PolicyDefinition,
} from '@agentkeep/core';
import {
  acceptedTogether,
  type Bet,
  exactLowerBound,
  exactThreshold,
  isDegraded,
  stateOfBets,
  stateUnlessAccepted,
} from './exact-bets.js';

/** A procedure with its counters. */
export interface Procedure {
  readonly proposal: LearningProposal;
  readonly evidence: Set<string>;
  state: 'Candidate' | 'Active' | 'Rejected' | 'Suspended';
  qualifications: number;
  improvements: number;
  utilities: number;
  violations: number;
  monitorings: number;
  streak: number;
  /** The trials of a policy that bets. */
  readonly bets: Bet[];
  /** The evaluations in use. */
  readonly watched: Bet[];
}

type Parameters = PolicyDefinition['parameters'];

/** A procedure that was just proposed. */
export function newProcedure(proposal: LearningProposal): Procedure {
  return {
    ...{ proposal, evidence: new Set(), state: 'Candidate', qualifications: 0, improvements: 0 },
    ...{ utilities: 0, violations: 0, monitorings: 0, streak: 0, bets: [], watched: [] },
  };
}

/**
 * Returns outcome and reason of an evaluation. An accepted one changes the procedure, and others of
 * its family if they are accepted along.
 */
export function judgeEvaluation(
  procedure: Procedure,
  submission: EvaluationSubmissionInput,
  { algorithm, parameters }: PolicyDefinition,
  family: readonly Procedure[],
): readonly [outcome: string, reason: string] {
  const { proposal, state } = procedure;
  const { status, candidate_cost_units: cost, candidate_latency_ms: latency } = submission;
  const { baseline_utility: baseline = null, candidate_utility: candidate = null } = submission;
  const isBound =
    submission.policy_id === proposal.policy_id &&
    submission.context_id === proposal.context_id &&
    submission.baseline_revision === 'b1';
  if (!isBound) return ['rejected', 'contract_mismatch'];
  if (status === 'rejected') return ['rejected', 'evaluator_rejected'];
  if (status === 'incomplete') return ['incomplete', 'incomplete_evidence'];
  if (status === 'cancelled') return ['cancelled', 'evaluator_reported_cancelled'];
  if (status === 'pending_or_unknown') return ['pending_or_unknown', 'outcome_unknown'];
  if (typeof cost !== 'number' || typeof latency !== 'number') {
    return ['unknown_consumption', 'consumption_unknown'];
  }
  if (baseline === null || candidate === null) return ['incomplete', 'utility_unknown'];
  const isFine =
    [baseline, candidate].every((utility) => utility >= 0 && utility <= 1) &&
    !proposal.source_refs.includes(submission.evidence_ref) &&
    !procedure.evidence.has(submission.evidence_ref) &&
    state === (submission.phase === 'Qualification' ? 'Candidate' : 'Active');
  if (!isFine) return ['rejected', 'evidence_or_phase_rejected'];
  procedure.evidence.add(submission.evidence_ref);
  const isWithin = cost <= parameters.max_cost_units && latency <= parameters.max_latency_ms;
  const trial = { baseline, candidate, isWithin };
  if (state === 'Candidate') {
    const judge = algorithm === 'betting_e_process_v1' ? bet : qualify;
    judge(procedure, trial, parameters, family);
  } else monitor(procedure, trial, parameters);
  return ['accepted', 'accepted'];
}

interface Trial {
  readonly baseline: number;
  readonly candidate: number;
  readonly isWithin: boolean;
}

function qualify(
  procedure: Procedure,
  { baseline, candidate, isWithin }: Trial,
  parameters: Parameters,
): void {
  const { qualification_trials: n, confidence_delta } = parameters;
  procedure.qualifications += 1;
  procedure.improvements += candidate - baseline;
  procedure.utilities += candidate;
  if (!isWithin) procedure.violations += 1;
  if (procedure.qualifications < n) return;
  const lower = procedure.improvements / n - Math.sqrt((2 * Math.log(1 / confidence_delta)) / n);
  const isGood =
    lower >= parameters.min_improvement &&
    procedure.utilities / n >= parameters.min_candidate_utility &&
    procedure.violations === 0;
  procedure.state = isGood ? 'Active' : 'Rejected';
}

function bet(
  procedure: Procedure,
  trial: Trial,
  parameters: Parameters,
  family: readonly Procedure[],
): void {
  procedure.qualifications += 1;
  procedure.bets.push(betOf(trial));
  if (!trial.isWithin) {
    procedure.violations += 1;
    procedure.state = 'Rejected';
    return;
  }
  const { max_candidates } = parameters;
  if (max_candidates === undefined) {
    procedure.state = stateOfBets(procedure.bets, parameters);
    return;
  }
  const open = family.filter(({ state }) => state !== 'Rejected');
  const accepted = acceptedTogether(open, { ...parameters, max_candidates });
  for (const each of accepted) if (each.state === 'Candidate') each.state = 'Active';
  if (accepted.includes(procedure)) return;
  procedure.state = stateUnlessAccepted(procedure.bets, parameters);
}

function betOf({ baseline, candidate }: Pick<Trial, 'baseline' | 'candidate'>): Bet {
  return { baseline: Math.round(baseline * 1_000), candidate: Math.round(candidate * 1_000) };
}

/** Returns the lower bound that decides between active procedures of a policy that bets. */
export function boundOf({ bets }: Procedure, parameters: Parameters): number {
  const differences = bets.map(({ baseline, candidate }) => candidate - baseline);
  return exactLowerBound(differences, exactThreshold(parameters)) / 1_000;
}

function monitor(procedure: Procedure, trial: Trial, parameters: Parameters): void {
  const { baseline, candidate, isWithin } = trial;
  const { min_candidate_utility: least, false_suspension_trials: length } = parameters;
  procedure.monitorings += 1;
  const isGood = isWithin && candidate >= least && candidate >= baseline;
  procedure.streak = isGood ? 0 : procedure.streak + 1;
  procedure.watched.push(betOf(isWithin ? trial : { baseline, candidate: 0 }));
  const isOut =
    length === undefined
      ? procedure.streak === parameters.max_failure_streak
      : isDegraded(procedure.watched, least, length);
  if (isOut) procedure.state = 'Suspended';
}
