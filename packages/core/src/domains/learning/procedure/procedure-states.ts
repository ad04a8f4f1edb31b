/**
 * The state machine of a procedure as one table: an accepted evaluation has a finding, and the
 * finding leads to the next state. States without a row accept no evaluation.
 */
import type { Finding } from '../evidence/hoeffding-policy.js';

/** The states of a procedure. */
export const procedureStates = ['Candidate', 'Active', 'Rejected', 'Suspended'] as const;
/** Name of a state. */
export type ProcedureState = (typeof procedureStates)[number];

/** The phases: qualifying a candidate, or monitoring an active procedure. */
export const evaluationPhases = ['Qualification', 'Monitoring'] as const;
/** Name of a phase. */
export type EvaluationPhase = (typeof evaluationPhases)[number];

/** One row of the table. */
export interface ProcedureTransition {
  readonly from: ProcedureState;
  readonly phase: EvaluationPhase;
  readonly finding: Finding;
  /** The finding in words, for the reference page. */
  readonly when: string;
  readonly to: ProcedureState;
  /** The decision; null where the state stays. */
  readonly reason: string | null;
}

/** The table. */
export const procedureTransitions: readonly ProcedureTransition[] = [
  {
    from: 'Candidate',
    phase: 'Qualification',
    finding: 'more_trials',
    when: 'fewer than `qualification_trials` so far, and no bets decide',
    to: 'Candidate',
    reason: null,
  },
  {
    from: 'Candidate',
    phase: 'Qualification',
    finding: 'gates_passed',
    when: 'the last trial, and every gate is passed',
    to: 'Active',
    reason: 'All qualification trials are done and every gate is passed.',
  },
  {
    from: 'Candidate',
    phase: 'Qualification',
    finding: 'gate_failed',
    when: 'the last trial, and a gate is not passed',
    to: 'Rejected',
    reason: 'All qualification trials are done and a gate is not passed.',
  },
  {
    from: 'Candidate',
    phase: 'Qualification',
    finding: 'evidence_suffices',
    when: 'of a policy that bets: the wealth is enough, and so is the mean utility',
    to: 'Active',
    reason: 'The wealth of the bets is enough and every gate is passed.',
  },
  {
    from: 'Candidate',
    phase: 'Qualification',
    finding: 'evidence_against',
    when: 'of a policy that bets: the wealth of the opposite bets is enough',
    to: 'Rejected',
    reason: 'The wealth of the opposite bets is enough: the improvement is too small.',
  },
  {
    from: 'Candidate',
    phase: 'Qualification',
    finding: 'budget_exceeded',
    when: 'of a policy that bets: over a budget',
    to: 'Rejected',
    reason: 'A trial went over a budget.',
  },
  {
    from: 'Active',
    phase: 'Monitoring',
    finding: 'good',
    when: 'within both budgets, and as useful as the policy and the baseline ask',
    to: 'Active',
    reason: null,
  },
  {
    from: 'Active',
    phase: 'Monitoring',
    finding: 'bad',
    when: 'anything less, fewer than `max_failure_streak` times in a row, or not enough evidence',
    to: 'Active',
    reason: null,
  },
  {
    from: 'Active',
    phase: 'Monitoring',
    finding: 'bad_too_often',
    when: 'anything less, `max_failure_streak` times in a row',
    to: 'Suspended',
    reason: 'Monitoring failed as many times in a row as the policy allows at the most.',
  },
  {
    from: 'Active',
    phase: 'Monitoring',
    finding: 'degraded',
    when: 'of a policy with `false_suspension_trials`: the evidence of degradation is enough',
    to: 'Suspended',
    reason: 'The evidence is enough that the procedure has become worse.',
  },
];

/** Returns the phase that a state accepts; none for a final state. */
export function acceptedPhase(state: ProcedureState): EvaluationPhase | undefined {
  return procedureTransitions.find(({ from }) => from === state)?.phase;
}

/**
 * Returns the row of a state and a finding.
 *
 * @throws {Error} The state doesn't accept the finding, which is a bug of the caller.
 */
export function transitionOf(state: ProcedureState, finding: Finding): ProcedureTransition {
  const row = procedureTransitions.find((each) => each.from === state && each.finding === finding);
  if (row === undefined) throw new Error(`No evaluation of a procedure is ${finding} in ${state}.`);
  return row;
}
