/** `getSubject`: shows what is stored of a subject. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readAtOnce } from '../../../storage/store/read-at-once.js';
import { SubjectResponse } from './schema.js';
import { showSubject } from './show-subject.js';
import { findSubject } from './subject-store.js';

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
    readAtOnce(runtime.store, (tx) => {
      const subject = findSubject(tx, credential.tenantId, input.id);
      if (subject === undefined) throw new AgentkeepError('subject_not_found');
      return { contract_version: CONTRACT_VERSION, subject: showSubject(subject) };
    }),
});
