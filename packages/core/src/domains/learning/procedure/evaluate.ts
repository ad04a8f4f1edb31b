/** Applies one evaluation to a procedure: decides its admission and the next state. */
import { type Admission, admissionOf, measurementOf } from './admission-policy.js';
import type { EvaluationSubmission } from './evaluation-schema.js';
import { improvementBound, judgeBet } from '../evidence/betting-policy.js';
import { judgeDegradation, watchesDegradation } from '../evidence/degradation-policy.js';
import {
  type Figures,
  type Judgement,
  judgeMonitoring,
  judgeTrial,
  type Measurement,
} from '../evidence/hoeffding-policy.js';
import type { Standing, StoredProcedure } from './procedure-store.js';
import { acceptedPhase, type ProcedureTransition, transitionOf } from './procedure-states.js';

/** The result of an evaluation. */
export interface Evaluated extends Admission {
  readonly standing: Standing;
}

/** Returns the admission of a submission and the next state, which only an accepted one changes. */
export function evaluate(
  procedure: StoredProcedure,
  submission: EvaluationSubmission,
  circumstances: { readonly isEvidenceUsed: boolean; readonly nowMs: number },
): Evaluated {
  const { proposal, basis, standing } = procedure;
  const admission = admissionOf(submission, {
    policyId: basis.policyId,
    contextId: basis.contextId,
    baselineRevision: basis.context.payload.baseline_revision,
    sourceRefs: proposal.request.source_refs,
    phase: acceptedPhase(standing.state),
    isEvidenceUsed: circumstances.isEvidenceUsed,
  });
  if (admission.outcome !== 'accepted') return { ...admission, standing };
  const judgement = judged(procedure, submission.phase, measurementOf(submission));
  const trigger = { caseId: submission.case_id, nowMs: circumstances.nowMs };
  return { ...admission, standing: afterJudgement(standing, judgement, trigger) };
}

/**
 * Returns the state of a candidate that is accepted because another one was, by a case of that one.
 */
export function acceptedAlong(
  { basis, standing }: StoredProcedure,
  trigger: { readonly caseId: string; readonly nowMs: number },
): Standing {
  const { figures } = standing;
  const bound = improvementBound(basis.policy.payload.parameters, figures.betting);
  const decided: Figures = { ...figures, lowerImprovementBound: bound };
  return afterJudgement(standing, { figures: decided, finding: 'evidence_suffices' }, trigger);
}

function judged(
  { basis, standing, others }: StoredProcedure,
  phase: EvaluationSubmission['phase'],
  measured: Measurement,
): Judgement {
  const { algorithm, parameters } = basis.policy.payload;
  const { figures } = standing;
  if (phase === 'Monitoring') {
    const judge = watchesDegradation(parameters) ? judgeDegradation : judgeMonitoring;
    return judge(parameters, figures, measured);
  }
  return algorithm === 'betting_e_process_v1'
    ? judgeBet(parameters, figures, measured, others)
    : judgeTrial(parameters, figures, measured);
}

function afterJudgement(
  { state, decisions }: Standing,
  { figures, finding }: Judgement,
  { caseId, nowMs }: { readonly caseId: string; readonly nowMs: number },
): Standing {
  const transition = transitionOf(state, finding);
  const made = decisionsOf(transition, caseId, nowMs);
  return { state: transition.to, figures, decisions: [...decisions, ...made] };
}

function decisionsOf(
  { from, to, reason }: ProcedureTransition,
  caseId: string,
  nowMs: number,
): Standing['decisions'] {
  if (reason === null) return [];
  return [{ from, to, reason, triggering_case: caseId, recorded_at_millis: nowMs }];
}
