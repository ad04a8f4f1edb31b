/** The operations that show a procedure, or how an evaluation was admitted. */
import { shownAs } from '../../../contract/schema/member-names.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { inExampleScope } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { type Namespace, namespaceOf, shownNamespace } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedRead } from '../scoped-operation.js';
import { measurementOf } from './admission-policy.js';
import { findAdmission, type StoredAdmission } from './admission-store.js';
import {
  AcceptedEvaluation,
  AdmissionReceipt,
  AdmissionResponse,
  LearningReceiptRequest,
} from './evaluation-schema.js';
import { LearningReadRequest, ProcedureResponse } from './procedure-schema.js';
import { findProcedure, type StoredProcedure } from './procedure-store.js';
import { showProcedure } from './show-procedure.js';

/** Returns the proposal and the current state. */
export const readProcedure = defineTenantOperation({
  ...scopedRead,
  name: 'readProcedure',
  summary: 'Read a procedure of a scope, with its figures.',
  example: { document: { ...inExampleScope, procedure_id: 'read-twice' } },
  tag: 'Learning',
  input: { document: LearningReadRequest },
  output: ProcedureResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, procedure_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    const procedure = await runtime.store.read((tx) => findProcedure(tx, namespace, id));
    if (procedure === undefined) throw new AgentkeepError('record_not_found');
    return {
      contract_version: CONTRACT_VERSION,
      procedure: showProcedure(namespace, procedure),
    };
  },
});

/** A missing procedure and a missing case give the same error. */
export const readEvaluationAdmission = defineTenantOperation({
  ...scopedRead,
  name: 'readEvaluationAdmission',
  summary: 'Read the receipt of an evaluation of a procedure.',
  example: { document: { ...inExampleScope, procedure_id: 'read-twice', case_id: 'case-1' } },
  tag: 'Learning',
  input: { document: LearningReceiptRequest },
  output: AdmissionResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  handler: ({ runtime, credential, input }) => {
    const { scope, procedure_id: id, case_id: caseId } = input.document;
    const namespace = namespaceOf(credential, scope);
    return runtime.store.read((tx) => {
      const procedure = findProcedure(tx, namespace, id);
      const admission = findAdmission(tx, namespace, id, caseId);
      if (procedure === undefined || admission === undefined) {
        throw new AgentkeepError('record_not_found');
      }
      return {
        contract_version: CONTRACT_VERSION,
        receipt: showAdmission(namespace, procedure, admission),
      };
    });
  },
});

/** Returns the receipt of an evaluation of a procedure. */
export function showAdmission(
  namespace: Namespace,
  procedure: Pick<StoredProcedure, 'proposal' | 'basis'>,
  admission: StoredAdmission,
): AdmissionReceipt {
  return shownAs(AdmissionReceipt, admission, {
    schema_version: 1,
    tenant: namespace.tenantId,
    namespace: shownNamespace(namespace),
    procedure_id: procedure.proposal.request.id,
    actor: { ...admission.actor },
    submission: { ...admission.submission },
    evaluation: admission.outcome === 'accepted' ? acceptedEvaluation(procedure, admission) : null,
  });
}

function acceptedEvaluation(
  { basis }: Pick<StoredProcedure, 'basis'>,
  admission: StoredAdmission,
): AcceptedEvaluation {
  const { submission } = admission;
  const { evaluator_id, evaluation_contract } = basis.policy.payload.parameters;
  const { case_id, phase, evidence_ref } = submission;
  const measured = measurementOf(submission);
  return shownAs(AcceptedEvaluation, admission, {
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
  });
}
