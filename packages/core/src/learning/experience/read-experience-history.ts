/**
 * `readExperienceHistory`: the observations of an attempt, in order of their ids, a page at a time.
 */
import { namespaceOf } from '../../access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../runtime/define-operation.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { findAttempt } from './experience-store.js';
import { historyPage } from './history.js';
import { ExperienceHistoryRequest, ExperienceHistoryResponse } from './schema.js';

/** The cursor says all that a traversal needs; it carries no authority. */
export const readExperienceHistory = defineTenantOperation({
  name: 'readExperienceHistory',
  summary: 'Read the observations of an attempt, frozen at the revision of the first page.',
  tag: 'Experiences',
  effect: 'read',
  input: { document: ExperienceHistoryRequest },
  output: ExperienceHistoryResponse,
  requires: { capability: 'experience_read', scope: ({ document }) => document.scope },
  checks: ['document', 'version', 'rules scope', 'authority', 'rules'],
  errors: [
    'invalid_request',
    'unsupported_contract_version',
    'forbidden',
    'record_not_found',
    'idempotency_conflict',
  ],
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
