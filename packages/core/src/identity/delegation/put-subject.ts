/** `putSubject`: says what may be done for a subject, or blocks it. */
import { canonicalCapabilities } from '../../access/capability.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { textId } from '../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import { PutSubjectRequest, SubjectResponse } from './schema.js';
import { showSubject } from './show-subject.js';
import { findSubject, putSubjectState } from './subject-store.js';

/** Ends what acts for a blocked subject at the commit. Credentials of the subject live on. */
export const putSubject = defineTenantOperation({
  name: 'putSubject',
  summary: 'State what may be done for a subject, or block it.',
  tag: 'Identity',
  input: { id: textId(), document: PutSubjectRequest },
  whenFull: 'served',
  output: SubjectResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: ['authority', 'document', 'version', 'id', 'rules'],
  errors: ['revision_conflict'],
  handler: (request) => {
    const { runtime, credential: actor, nowMs } = request;
    const { id: subjectId, document } = request.input;
    const { tenantId } = actor;
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      const revision = findSubject(tx, tenantId, subjectId)?.revision ?? 0;
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
      };
      putSubjectState(tx, subject);
      request.record(tx, {
        type: 'configuration_changed',
        action: 'configuration_changed',
        resource: `subject:${subjectId}`,
        result: 'success',
        metadata: { change: subject.isBlocked ? 'blocked' : 'limited', tenant_id: tenantId },
      });
      return { contract_version: CONTRACT_VERSION, subject: showSubject(subject) };
    });
  },
});
