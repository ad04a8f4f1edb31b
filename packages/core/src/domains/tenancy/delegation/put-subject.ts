/** `putSubject`: says what may be done for a subject, or blocks it. */
import { exampleVersion } from '../../../contract/example-values.js';
import type * as v from 'valibot';
import { canonicalCapabilities } from '../../../kernel/access/capability.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { PutSubjectRequest, SubjectResponse } from './schema.js';
import { showSubject } from './show-subject.js';
import { admitErasedSubject } from '../../../kernel/erased/erased-subject-store.js';
import { findSubject, putSubjectState } from './subject-store.js';

/**
 * Ends what acts for a blocked subject at the commit. Credentials of the subject live on. A subject
 * that was erased is admitted anew.
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
    const { tenantId } = actor;
    const newAdmission = runtime.newId();
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      const isAdmitted = admitErasedSubject(tx, { tenantId, subjectId });
      const before = findSubject(tx, tenantId, subjectId);
      const revision = before?.revision ?? 0;
      if (revision !== document.expected_revision) throw new AgentkeepError('revision_conflict');
      const subject = {
        tenantId,
        subjectId,
        revision: revision + 1,
        isBlocked: document.is_blocked,
        capabilities: document.capabilities && canonicalCapabilities(document.capabilities),
        scopePolicy: document.scope_policy,
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
        metadata: { change: changeIn(document, isAdmitted), tenant_id: tenantId },
      });
      return { contract_version: CONTRACT_VERSION, subject: showSubject(subject) };
    });
  },
});

function changeIn(
  { is_blocked: isBlocked }: v.InferOutput<typeof PutSubjectRequest>,
  isAdmitted: boolean,
): 'blocked' | 'admitted' | 'limited' {
  if (isBlocked) return 'blocked';
  return isAdmitted ? 'admitted' : 'limited';
}
