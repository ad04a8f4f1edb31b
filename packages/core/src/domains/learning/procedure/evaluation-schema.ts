/** Documents of evaluations: submissions and admissions (docs/contract/learning.md). */
import * as v from 'valibot';
import { Actor } from '../../../kernel/access/actor.js';
import { Scope } from '../../../kernel/access/scope.js';
import { REFERENCE_BYTES_MAX } from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  contractVersion,
  finiteNumber,
  integer,
} from '../../../contract/schema/number.js';
import { textId, textOf } from '../../../contract/schema/text.js';
import { ProcedureStateName } from './procedure-schema.js';
import { evaluationPhases } from './procedure-states.js';
import { learningText } from '../policy/schema.js';

const reference = () => textOf(REFERENCE_BYTES_MAX);

/** The phase that an evaluation belongs to. */
const EvaluationPhaseName = v.pipe(v.picklist(evaluationPhases), named('EvaluationPhase'));

/** One evaluation as its evaluator reports it. */
export const EvaluationSubmission = v.pipe(
  closed({
    case_id: learningText(),
    phase: EvaluationPhaseName,
    policy_id: learningText(),
    context_id: learningText(),
    baseline_revision: learningText(),
    evidence_ref: reference(),
    status: v.picklist(['complete', 'rejected', 'incomplete', 'cancelled', 'pending_or_unknown']),
    baseline_utility: orNull(finiteNumber()),
    candidate_utility: orNull(finiteNumber()),
    candidate_cost_units: orNull(integer()),
    candidate_latency_ms: orNull(integer()),
    detail: orNull(reference()),
  }),
  named('EvaluationSubmission'),
);
export type EvaluationSubmission = v.InferOutput<typeof EvaluationSubmission>;
/** The input form of a submission; optional members may be absent. */
export type EvaluationSubmissionInput = v.InferInput<typeof EvaluationSubmission>;

/** The decision about an evaluation. Only `accepted` counts. */
export const AdmissionOutcome = v.pipe(
  v.picklist([
    'accepted',
    'rejected',
    'incomplete',
    'cancelled',
    'pending_or_unknown',
    'unknown_consumption',
  ]),
  named('AdmissionOutcome'),
);
export type AdmissionOutcome = v.InferOutput<typeof AdmissionOutcome>;

/** The reason of the decision. */
export const AdmissionReason = v.pipe(
  v.picklist([
    'accepted',
    'contract_mismatch',
    'evaluator_rejected',
    'incomplete_evidence',
    'evaluator_reported_cancelled',
    'outcome_unknown',
    'consumption_unknown',
    'utility_unknown',
    'evidence_or_phase_rejected',
  ]),
  named('AdmissionReason'),
);
export type AdmissionReason = v.InferOutput<typeof AdmissionReason>;

/** An accepted evaluation, with its measurement. */
export const AcceptedEvaluation = v.pipe(
  closed({
    evaluation: closed({
      case_id: learningText(),
      phase: EvaluationPhaseName,
      evaluator_id: learningText(),
      evaluation_contract: learningText(),
      evidence_ref: reference(),
      baseline_utility: finiteNumber(),
      candidate_utility: finiteNumber(),
      candidate_cost_units: integer(),
      candidate_latency_ms: integer(),
    }),
    state_after: ProcedureStateName,
    recorded_at_millis: integer(),
  }),
  named('AcceptedEvaluation'),
);
export type AcceptedEvaluation = v.InferOutput<typeof AcceptedEvaluation>;

/** The receipt of an evaluation. It never changes. */
export const AdmissionReceipt = v.pipe(
  closed({
    schema_version: v.literal(1),
    tenant: textId(),
    namespace: v.string(),
    procedure_id: learningText(),
    actor: Actor,
    submission: EvaluationSubmission,
    outcome: AdmissionOutcome,
    reason: AdmissionReason,
    state_after: ProcedureStateName,
    evaluation: v.nullable(AcceptedEvaluation),
    recorded_at_millis: integer(),
  }),
  named('AdmissionReceipt'),
);
export type AdmissionReceipt = v.InferOutput<typeof AdmissionReceipt>;

/** Body of an evaluation. */
export const LearningEvaluationRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    procedure_id: learningText(),
    submission: EvaluationSubmission,
  }),
  named('LearningEvaluationRequest'),
);

/** Body of the read of an admission. */
export const LearningReceiptRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    procedure_id: learningText(),
    case_id: learningText(),
  }),
  named('LearningReceiptRequest'),
);

/** Answer with an admission. */
export const AdmissionResponse = v.pipe(
  closed({ contract_version: answeredVersion, receipt: AdmissionReceipt }),
  named('AdmissionResponse'),
);
