/** Evaluations in the store: a receipt for each case of a procedure, and the evidence it used. */
import type { Actor } from '../../../kernel/access/actor.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { documentDigest } from '../../../contract/schema/document-digest.js';
import { textDigest } from '../../../storage/store/key.js';
import { defineFamily, indexOf } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  fieldsLayout,
  json,
  jsonLayout,
  number,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import type { KeySpan } from '../key-span.js';
import type {
  AdmissionOutcome,
  AdmissionReason,
  EvaluationSubmission,
} from './evaluation-schema.js';
import type { ProcedureState } from './procedure-states.js';

/** Digest of a submission, by which a replay is recognized. */
export function submissionFingerprint(submission: EvaluationSubmission): string {
  return documentDigest('agentkeep learning-submission 1', submission);
}

/** Procedure and case are parts of the key. */
const admissionLayout = fieldsLayout(
  1,
  {
    submission: json<EvaluationSubmission>(),
    fingerprint: text,
    outcome: json<AdmissionOutcome>(),
    reason: json<AdmissionReason>(),
    stateAfter: json<ProcedureState>(),
    actor: json<Actor>(),
    recordedAtMillis: number,
  },
  ({ submission, fingerprint }) => submissionFingerprint(submission) === fingerprint,
);

/** A stored admission. */
export type StoredAdmission = ValueOf<typeof admissionLayout>;

/** Evaluations of a procedure: namespace, digest of the procedure's id, case. */
export const learningAdmissions = defineFamily({
  name: 'learningAdmissions',
  number: 45,
  key: ['digest', 'digest', 'text'],
  layout: admissionLayout,
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'evaluation' },
  erased: 'removed',
  counts: null,
});

/**
 * Evidence that counted: namespace, digests of the procedure's id and of the reference. Values are
 * the cases that used it.
 */
export const learningEvidence = defineFamily({
  name: 'learningEvidence',
  number: 46,
  key: ['digest', 'digest', 'digest'],
  layout: jsonLayout<string>(1),
  sealedBy: 'namespace',
  owner: 'scope',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(learningAdmissions),
});

/** Returns the admission of a case of a procedure, or `undefined`. */
export function findAdmission(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  procedureId: string,
  caseId: string,
): StoredAdmission | undefined {
  return learningAdmissions.get(tx, tenantId, digest, textDigest(procedureId), caseId);
}

/** Returns the admissions of a procedure after a case, in the order of their keys. */
export function admissionsAfter(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  procedureId: string,
  { after, limit }: KeySpan,
): StoredAdmission[] {
  const prefix: [Uint8Array, Uint8Array] = [digest, textDigest(procedureId)];
  const start: [Uint8Array, Uint8Array, string] | undefined =
    after === undefined ? undefined : [...prefix, after];
  return learningAdmissions.values(tx, tenantId, { prefix, after: start, limit });
}

/** Returns whether an accepted evaluation of a procedure used this evidence. */
export function isEvidenceUsed(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  procedureId: string,
  reference: string,
): boolean {
  const procedure = textDigest(procedureId);
  return learningEvidence.get(tx, tenantId, digest, procedure, textDigest(reference)) !== undefined;
}

/** Stores an admission, which uses up its case and, when accepted, its evidence. */
export function insertAdmission(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  procedureId: string,
  admission: StoredAdmission,
): void {
  const procedure = textDigest(procedureId);
  const { case_id: caseId, evidence_ref: reference } = admission.submission;
  learningAdmissions.put(tx, admission, tenantId, digest, procedure, caseId);
  if (admission.outcome !== 'accepted') return;
  learningEvidence.put(tx, caseId, tenantId, digest, procedure, textDigest(reference));
}
