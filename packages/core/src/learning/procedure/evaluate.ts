/** Applies one evaluation to a procedure: decides its admission and the next state. */
import { type Admission, admissionOf, measurementOf } from './admission-policy.js';
import type { EvaluationSubmission } from './evaluation-schema.js';
import { judgeBet } from './betting-policy.js';
import { judgeMonitoring, judgeTrial } from './hoeffding-policy.js';
import type { Standing, StoredProcedure } from './procedure-store.js';
import { acceptedPhase, type ProcedureTransition, transitionOf } from './procedure-states.js';

/** The result of an evaluation. */
export interface Evaluated extends Admission {
  readonly standing: Standing;
}

/** Returns the admission of a submission and the next state, which only an accepted one changes. */
export function evaluate(
  { proposal, basis, standing }: StoredProcedure,
  submission: EvaluationSubmission,
  circumstances: { readonly isEvidenceUsed: boolean; readonly nowMs: number },
): Evaluated {
  const admission = admissionOf(submission, {
    policyId: basis.policyId,
    contextId: basis.contextId,
    baselineRevision: basis.context.payload.baseline_revision,
    sourceRefs: proposal.request.source_refs,
    phase: acceptedPhase(standing.state),
    isEvidenceUsed: circumstances.isEvidenceUsed,
  });
  if (admission.outcome !== 'accepted') return { ...admission, standing };
  const { algorithm, parameters } = basis.policy.payload;
  const judgeCandidate = algorithm === 'betting_e_process_v1' ? judgeBet : judgeTrial;
  const judge = submission.phase === 'Qualification' ? judgeCandidate : judgeMonitoring;
  const { figures, finding } = judge(parameters, standing.figures, measurementOf(submission));
  const transition = transitionOf(standing.state, finding);
  const decisions = [
    ...standing.decisions,
    ...decisionsOf(transition, submission.case_id, circumstances.nowMs),
  ];
  return { ...admission, standing: { state: transition.to, figures, decisions } };
}

function decisionsOf(
  { from, to, reason }: ProcedureTransition,
  caseId: string,
  nowMs: number,
): Standing['decisions'] {
  if (reason === null) return [];
  return [{ from, to, reason, triggering_case: caseId, recorded_at_millis: nowMs }];
}
