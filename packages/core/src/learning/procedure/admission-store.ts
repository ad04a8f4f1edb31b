/**
 * Evaluations in the store: a receipt for every case of a procedure, and the evidence that counted.
 *
 * @module
 */
import type { Actor } from '../../access/actor.js';
import type { Namespace } from '../../access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { documentDigest } from '../../contract/schema/document-digest.js';
import { textDigest } from '../../storage/store/key.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import type {
  AdmissionOutcome,
  AdmissionReason,
  EvaluationSubmission,
} from './evaluation-schema.js';
import type { ProcedureState } from './procedure-states.js';

/** An admission as it is stored; its procedure and case are part of its key. */
export interface StoredAdmission {
  readonly submission: EvaluationSubmission;
  /** Digest of the submission: what makes a repeat the same. */
  readonly fingerprint: string;
  readonly outcome: AdmissionOutcome;
  readonly reason: AdmissionReason;
  readonly stateAfter: ProcedureState;
  readonly actor: Actor;
  readonly recordedAtMillis: number;
}

type AdmissionFields = [
  submission: EvaluationSubmission,
  fingerprint: string,
  outcome: AdmissionOutcome,
  reason: AdmissionReason,
  stateAfter: ProcedureState,
  actor: Actor,
  recordedAtMillis: number,
];

/** Digest of a submission. */
export function submissionFingerprint(submission: EvaluationSubmission): string {
  return documentDigest('agentkeep learning-submission 1', submission);
}

const admissions = new Subspace(
  keyspace.learningAdmissions,
  fieldsLayout<StoredAdmission, AdmissionFields>(
    1,
    (it) => [
      it.submission,
      it.fingerprint,
      it.outcome,
      it.reason,
      it.stateAfter,
      it.actor,
      it.recordedAtMillis,
    ],
    ([submission, fingerprint, outcome, reason, stateAfter, actor, recordedAtMillis]) => {
      if (submissionFingerprint(submission) !== fingerprint) {
        throw new AgentkeepError('storage_inconsistency');
      }
      return { submission, fingerprint, outcome, reason, stateAfter, actor, recordedAtMillis };
    },
  ),
);

const evidence = new Subspace(
  keyspace.learningEvidence,
  fieldsLayout<string, [caseId: string]>(
    1,
    (caseId) => [caseId],
    ([caseId]) => caseId,
  ),
);

/** The subspaces of evaluations, by their names in the key space. */
export const admissionSubspaces = { learningAdmissions: admissions, learningEvidence: evidence };

/** The admission of a case of a procedure, if there is one. */
export function findAdmission(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  procedureId: string,
  caseId: string,
): StoredAdmission | undefined {
  return admissions.get(tx, tenantId, digest, textDigest(procedureId), caseId);
}

/** Whether an evaluation of a procedure that counted named this evidence. */
export function isEvidenceUsed(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  procedureId: string,
  reference: string,
): boolean {
  const procedure = textDigest(procedureId);
  return evidence.get(tx, tenantId, digest, procedure, textDigest(reference)) !== undefined;
}

/** Stores an admission, which uses up its case and, if it counts, its evidence. */
export function insertAdmission(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  procedureId: string,
  admission: StoredAdmission,
): void {
  const procedure = textDigest(procedureId);
  const { case_id: caseId, evidence_ref: reference } = admission.submission;
  admissions.put(tx, admission, tenantId, digest, procedure, caseId);
  if (admission.outcome !== 'accepted') return;
  evidence.put(tx, caseId, tenantId, digest, procedure, textDigest(reference));
}
