/** `admitEvaluation`: records one evaluation of a procedure and counts it if it is accepted. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { inExampleScope } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { actorOf } from '../../../kernel/access/actor.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { originalWith } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { WriteTx } from '../../../storage/store/store.js';
import {
  admissibleWealth,
  decidingWealth,
  improvementBound,
  judgeBet,
} from '../evidence/betting-policy.js';
import { judgeDegradation, watchesDegradation } from '../evidence/degradation-policy.js';
import { acceptedBeside } from '../evidence/family-policy.js';
import {
  type Figures,
  type Judgement,
  judgeMonitoring,
  judgeTrial,
  type Measurement,
} from '../evidence/hoeffding-policy.js';
import { basisDigest } from '../policy/evaluation-basis.js';
import { scopedOperation } from '../scoped-operation.js';
import { type Admission, admissionOf, measurementOf } from './admission-policy.js';
import {
  findAdmission,
  insertAdmission,
  isEvidenceUsed,
  type StoredAdmission,
  submissionFingerprint,
} from './admission-store.js';
import {
  AdmissionResponse,
  type EvaluationSubmission,
  LearningEvaluationRequest,
} from './evaluation-schema.js';
import { putMember } from './family-store.js';
import { acceptedPhase, type ProcedureTransition, transitionOf } from './procedure-states.js';
import {
  findProcedure,
  type Standing,
  type StoredProcedure,
  updateStanding,
} from './procedure-store.js';
import { rankOf } from './rank-of.js';
import { showAdmission } from './read-procedures.js';
import { insertRank, removeRank } from './selection-store.js';

/**
 * Receipt, figures, state and index change in one commit. Policies never change, so the evaluator
 * is always the same subject, and every replay is by the subject of the original.
 */
export const admitEvaluation = defineTenantOperation({
  ...scopedOperation,
  name: 'admitEvaluation',
  summary: 'Submit an evaluation of a procedure, once per case, as the evaluator of its policy.',
  example: {
    document: {
      ...inExampleScope,
      procedure_id: 'read-twice',
      submission: {
        case_id: 'case-1',
        phase: 'Qualification',
        policy_id: 'summaries-v1',
        context_id: 'summaries-on-m1',
        baseline_revision: 'base-1',
        evidence_ref: 'run:1/case-1',
        status: 'complete',
        baseline_utility: 0.4,
        candidate_utility: 0.9,
        candidate_cost_units: 3,
        candidate_latency_ms: 850,
      },
    },
  },
  tag: 'Learning',
  input: { document: LearningEvaluationRequest },
  output: AdmissionResponse,
  requires: { capability: 'procedure_evaluate', scope: ({ document }) => document.scope },
  errors: ['record_not_found', 'idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { scope, procedure_id: id, submission } = input.document;
    const namespace = namespaceOf(credential, scope);
    const fingerprint = submissionFingerprint(submission);
    const actor = actorOf(credential);

    const { procedure, admission } = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const procedure = findProcedure(tx, namespace, id);
      if (procedure === undefined) throw new AgentkeepError('record_not_found');
      const { evaluator_id: evaluator } = procedure.basis.policy.payload.parameters;
      if (actor.subject_id !== evaluator) request.deny('evaluator');
      const known = findAdmission(tx, namespace, id, submission.case_id);
      const original = originalWith(known, fingerprint);
      if (original !== undefined) return { procedure, admission: original };
      const isUsed = isEvidenceUsed(tx, namespace, id, submission.evidence_ref);
      const evaluated = evaluate(procedure, submission, { isEvidenceUsed: isUsed, nowMs });
      const { outcome, reason, standing } = evaluated;
      const admission: StoredAdmission = {
        submission,
        fingerprint,
        outcome,
        reason,
        stateAfter: standing.state,
        actor,
        recordedAtMillis: nowMs,
      };
      insertAdmission(tx, namespace, id, admission);
      if (outcome === 'accepted') {
        changeStanding(tx, namespace, procedure, standing);
        const trigger = { caseId: submission.case_id, nowMs };
        acceptOthers(tx, namespace, { ...procedure, standing }, trigger);
      }
      return { procedure, admission };
    });

    return {
      contract_version: CONTRACT_VERSION,
      receipt: showAdmission(namespace, procedure, admission),
    };
  },
});

/** Accepts the candidates for which the wealth is enough because this one was accepted. */
function acceptOthers(
  tx: WriteTx,
  namespace: Namespace,
  { basis, standing, others }: StoredProcedure,
  trigger: { readonly caseId: string; readonly nowMs: number },
): void {
  if (standing.state !== 'Active' || standing.figures.monitoringCount > 0) return;
  const least = decidingWealth(basis.policy.payload.parameters, others);
  for (const { id } of acceptedBeside(others, least)) {
    const other = findProcedure(tx, namespace, id);
    if (other === undefined) throw new AgentkeepError('storage_inconsistency');
    changeStanding(tx, namespace, other, acceptedAlong(other, trigger));
  }
}

/** Stores the state and updates the index, which holds exactly the active procedures. */
function changeStanding(
  tx: WriteTx,
  namespace: Namespace,
  procedure: StoredProcedure,
  after: Standing,
): void {
  const { proposal, basis, standing: before } = procedure;
  const { id } = proposal.request;
  updateStanding(tx, namespace, id, after);
  const range = { namespace, basis: basisDigest(basis) };
  const { parameters } = basis.policy.payload;
  if (before.state === 'Candidate' && parameters.max_candidates !== undefined) {
    const isAccepted = after.state === 'Active';
    const wealth = after.state === 'Rejected' ? 0 : admissibleWealth(parameters, after.figures);
    putMember(tx, range, { id, wealth, isAccepted });
  }
  if (after.state === before.state) return;
  if (before.state === 'Active') removeRank(tx, range, rankOf(procedure, before));
  if (after.state === 'Active') insertRank(tx, range, rankOf(procedure, after));
}

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
function acceptedAlong(
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
