/** The operations on subjects for whom services act. */
import { shownAs, storedAs } from '../../../contract/schema/member-names.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion } from '../../../contract/example-values.js';
import { isTextId, textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { canonicalCapabilities } from '../../../kernel/access/capability.js';
import { admitErasedSubject } from '../../../kernel/erased/erased-subject-store.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import {
  defineTenantOperation,
  directoryOperation,
} from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import type { ReadTx } from '../../../storage/store/store.js';
import {
  DirectorySubjectsResponse,
  PutSubjectRequest,
  Subject,
  SubjectResponse,
} from './schema.js';
import { findCredential } from '../credential/credential-store.js';
import { requireMayShutOut } from '../credential/administrator-store.js';
import {
  findSubject,
  putSubjectState,
  type StoredSubject,
  subjectsAfter,
} from './subject-store.js';

/**
 * Stops a blocked subject at the commit: what acts for it, and its own credentials. Nothing of it
 * ends, so it goes on once it is unblocked. A subject that was erased is admitted anew.
 */
export const putSubject = defineTenantOperation({
  name: 'putSubject',
  summary: 'State what may be done for a subject, or block it.',
  example: {
    id: 'user-1',
    document: { ...exampleVersion, expected_revision: 0, is_blocked: false },
  },
  command: {
    name: 'subjects put',
    examples: ['agentkeep subjects put user-1 --expected-revision 0 --is-blocked true'],
  },
  tag: 'Identity',
  input: { id: textId(), document: PutSubjectRequest },
  whenFull: 'served',
  output: SubjectResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict', 'erasure_in_progress'],
  handler: (request) => {
    const { runtime, credential: actor, nowMs } = request;
    const { id: subjectId, document } = request.input;
    const { expected_revision: expected, ...stated } = document;
    const { tenantId } = actor;
    const newAdmission = runtime.newId();
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      if (document.is_blocked) requireMayBlock(tx, request, subjectId);
      const isAdmitted = admitErasedSubject(tx, { tenantId, subjectId });
      const before = findSubject(tx, tenantId, subjectId);
      const revision = before?.revision ?? 0;
      if (revision !== expected) throw new AgentkeepError('revision_conflict');
      const subject = {
        ...storedAs(stated),
        ...{ tenantId, subjectId, revision: revision + 1 },
        capabilities: stated.capabilities && canonicalCapabilities(stated.capabilities),
        updatedAtMillis: nowMs,
        updatedBy: actor.id,
        admission: isAdmitted ? newAdmission : (before?.admission ?? null),
      };
      putSubjectState(tx, subject);
      request.record(tx, {
        type: 'configuration_changed',
        action: 'configuration_changed',
        resource: `subject:${subjectId}`,
        result: 'success',
        metadata: {
          change: isAdmitted && !document.is_blocked ? 'admitted' : changeIn(before, subject),
          reason: document.reason,
          tenant_id: tenantId,
        },
      });
      return { contract_version: CONTRACT_VERSION, subject: showSubject(subject) };
    });
  },
});

/**
 * Refuses to block the subject that the caller acts as, so that one administrator is always left,
 * and an account that the caller can't manage.
 *
 * @throws {AgentkeepError} `forbidden`
 */
function requireMayBlock(
  tx: ReadTx,
  request: TenantRequest<InputSchemas>,
  subjectId: string,
): void {
  const { tenantId, spec } = request.credential;
  if (spec.subject_id === subjectId) {
    throw new AgentkeepError('forbidden', { message: OWN_SUBJECT });
  }
  requireMayShutOut(tx, request, request.principal, ({ credentialId }) => {
    if (credentialId === null) return false;
    return findCredential(tx, tenantId, credentialId)?.spec.subject_id === subjectId;
  });
}

const OWN_SUBJECT =
  'This call acts as the subject that it would block. Ask another administrator to block it.';

function changeIn(
  before: StoredSubject | undefined,
  { isBlocked }: StoredSubject,
): 'blocked' | 'unblocked' | 'limited' {
  if (isBlocked) return 'blocked';
  return before?.isBlocked === true ? 'unblocked' : 'limited';
}

/** A subject without limits has nothing stored, and is `subject_not_found`. */
export const getSubject = defineTenantOperation({
  name: 'getSubject',
  summary: 'Show what may be done for a subject.',
  example: { id: 'user-1' },
  command: { name: 'subjects show' },
  tag: 'Identity',
  effect: 'read',
  input: { id: textId() },
  output: SubjectResponse,
  requires: { capability: 'credential_admin' },
  checks: authorityFirstChecks,
  errors: ['subject_not_found'],
  handler: ({ runtime, credential, input }) =>
    runtime.store.read((tx) => {
      const subject = findSubject(tx, credential.tenantId, input.id);
      if (subject === undefined) throw new AgentkeepError('subject_not_found');
      return { contract_version: CONTRACT_VERSION, subject: showSubject(subject) };
    }),
});

/** Lists in ascending order of id, forward only. Pages reflect concurrent changes. */
export const listSubjects = defineTenantOperation({
  ...directoryOperation,
  name: 'listSubjects',
  summary: 'List the subjects that have limits or are blocked.',
  example: { parameters: exampleVersion },
  command: {
    name: 'subjects list',
    columns: ['subject_id', 'is_blocked', 'reason', 'updated_at_millis', 'capabilities'],
  },
  tag: 'Identity',
  output: DirectorySubjectsResponse,
  requires: { capability: 'credential_admin' },
  handler: ({ runtime, credential: { tenantId }, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'subjects', tenantId },
      read: (tx, page) => subjectsAfter(tx, tenantId, page),
      show: (_tx, subject) => showSubject(subject),
      placeOf: ({ subjectId }) => subjectId,
      isPlace: isTextId,
    }),
});

/** Returns a subject as answers show it. */
function showSubject(subject: StoredSubject): Subject {
  return shownAs(Subject, subject, {
    capabilities: subject.capabilities === null ? null : [...subject.capabilities],
    scope_policy: structuredClone(subject.scopePolicy),
  });
}
