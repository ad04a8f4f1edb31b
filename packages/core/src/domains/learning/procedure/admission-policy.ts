/** Decides about a submitted evaluation by a list of rules; the first that applies wins. */
import type {
  AdmissionOutcome,
  AdmissionReason,
  EvaluationSubmission,
} from './evaluation-schema.js';
import type { Measurement } from '../evidence/hoeffding-policy.js';
import type { EvaluationPhase } from './procedure-states.js';

/** The stored facts that an evaluation is checked against. */
export interface Candidate {
  readonly policyId: string;
  readonly contextId: string;
  readonly baselineRevision: string;
  readonly sourceRefs: readonly string[];
  /** The phase that the state of the procedure accepts, if any. */
  readonly phase: EvaluationPhase | undefined;
  /** Whether an accepted evaluation named the same evidence. */
  readonly isEvidenceUsed: boolean;
}

/** The decision about an evaluation. */
export interface Admission {
  readonly outcome: AdmissionOutcome;
  readonly reason: AdmissionReason;
}

interface AdmissionRule extends Admission {
  applies(submission: EvaluationSubmission, candidate: Candidate): boolean;
}

/** The rules, in order. */
const rules: readonly AdmissionRule[] = [
  {
    outcome: 'rejected',
    reason: 'contract_mismatch',
    applies: (it, { policyId, contextId, baselineRevision }) =>
      it.policy_id !== policyId ||
      it.context_id !== contextId ||
      it.baseline_revision !== baselineRevision,
  },
  {
    outcome: 'rejected',
    reason: 'evaluator_rejected',
    applies: ({ status }) => status === 'rejected',
  },
  {
    outcome: 'incomplete',
    reason: 'incomplete_evidence',
    applies: ({ status }) => status === 'incomplete',
  },
  {
    outcome: 'cancelled',
    reason: 'evaluator_reported_cancelled',
    applies: ({ status }) => status === 'cancelled',
  },
  {
    outcome: 'pending_or_unknown',
    reason: 'outcome_unknown',
    applies: ({ status }) => status === 'pending_or_unknown',
  },
  {
    outcome: 'unknown_consumption',
    reason: 'consumption_unknown',
    applies: (it) => it.candidate_cost_units === null || it.candidate_latency_ms === null,
  },
  {
    outcome: 'incomplete',
    reason: 'utility_unknown',
    applies: (it) => it.baseline_utility === null || it.candidate_utility === null,
  },
  {
    outcome: 'rejected',
    reason: 'evidence_or_phase_rejected',
    applies: (it, { sourceRefs, phase, isEvidenceUsed }) =>
      !isUtility(it.baseline_utility) ||
      !isUtility(it.candidate_utility) ||
      sourceRefs.includes(it.evidence_ref) ||
      isEvidenceUsed ||
      it.phase !== phase,
  },
];

/** The decision about an evaluation. */
export function admissionOf(submission: EvaluationSubmission, candidate: Candidate): Admission {
  const rule = rules.find((each) => each.applies(submission, candidate));
  if (rule === undefined) return { outcome: 'accepted', reason: 'accepted' };
  return { outcome: rule.outcome, reason: rule.reason };
}

/**
 * Returns the measurement of an accepted evaluation.
 *
 * @throws {Error} A member is unknown. This can't happen in an accepted evaluation.
 */
export function measurementOf(submission: EvaluationSubmission): Measurement {
  return {
    baselineUtility: known(submission.baseline_utility),
    candidateUtility: known(submission.candidate_utility),
    costUnits: known(submission.candidate_cost_units),
    latencyMs: known(submission.candidate_latency_ms),
  };
}

function isUtility(value: number | null): boolean {
  return value !== null && value >= 0 && value <= 1;
}

function known(value: number | null): number {
  if (value === null) throw new Error('An accepted evaluation has an unknown member.');
  return value;
}
