/** Converts a stored admission to its document. */
import { type Namespace, shownNamespace } from '../../../kernel/access/namespace.js';
import { measurementOf } from './admission-policy.js';
import type { StoredAdmission } from './admission-store.js';
import type { AcceptedEvaluation, AdmissionReceipt } from './evaluation-schema.js';
import type { StoredProcedure } from './procedure-store.js';

/** Returns the receipt of an evaluation of a procedure. */
export function showAdmission(
  namespace: Namespace,
  procedure: Pick<StoredProcedure, 'proposal' | 'basis'>,
  admission: StoredAdmission,
): AdmissionReceipt {
  return {
    schema_version: 1,
    tenant: namespace.tenantId,
    namespace: shownNamespace(namespace),
    procedure_id: procedure.proposal.request.id,
    actor: { ...admission.actor },
    submission: { ...admission.submission },
    outcome: admission.outcome,
    reason: admission.reason,
    state_after: admission.stateAfter,
    evaluation: admission.outcome === 'accepted' ? acceptedEvaluation(procedure, admission) : null,
    recorded_at_millis: admission.recordedAtMillis,
  };
}

function acceptedEvaluation(
  { basis }: Pick<StoredProcedure, 'basis'>,
  { submission, stateAfter, recordedAtMillis }: StoredAdmission,
): AcceptedEvaluation {
  const { evaluator_id, evaluation_contract } = basis.policy.payload.parameters;
  const { case_id, phase, evidence_ref } = submission;
  const measured = measurementOf(submission);
  return {
    evaluation: {
      case_id,
      phase,
      evaluator_id,
      evaluation_contract,
      evidence_ref,
      baseline_utility: measured.baselineUtility,
      candidate_utility: measured.candidateUtility,
      candidate_cost_units: measured.costUnits,
      candidate_latency_ms: measured.latencyMs,
    },
    state_after: stateAfter,
    recorded_at_millis: recordedAtMillis,
  };
}
