/**
 * `readExperienceHistory`: pages through the observations of an attempt, in the order of their ids.
 */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedOperation } from '../scoped-operation.js';
import { findAttempt } from './experience-store.js';
import { historyPage } from './history.js';
import { ExperienceHistoryRequest, ExperienceHistoryResponse } from './schema.js';

/** The cursor holds the whole state of the traversal. It grants no rights. */
export const readExperienceHistory = defineTenantOperation({
  ...scopedOperation,
  name: 'readExperienceHistory',
  summary: 'Read the observations of an attempt, frozen at the revision of the first page.',
  example: { document: { ...inExampleScope, attempt_id: 'attempt-1', query: { limit: 20 } } },
  tag: 'Experiences',
  effect: 'read',
  input: { document: ExperienceHistoryRequest },
  output: ExperienceHistoryResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  errors: ['record_not_found', 'idempotency_conflict'],
  isHeavy: true,
  handler: async ({ runtime, credential, input }) => {
    const { scope, attempt_id: attemptId, query } = input.document;
    const namespace = namespaceOf(credential, scope);
    const page = await runtime.store.read((tx) => {
      const attempt = findAttempt(tx, namespace, attemptId);
      if (attempt === undefined) throw new AgentkeepError('record_not_found');
      return historyPage(tx, namespace, attempt, query);
    });
    return { contract_version: CONTRACT_VERSION, page };
  },
});
