/**
 * `getLearningPolicy`: a learning policy of the tenant.
 *
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { defineOperation } from '../../runtime/operation.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { findPolicy } from './entry-store.js';
import { learningText, PolicyEntryResponse } from './schema.js';
import { showEntry } from './show-entry.js';

/** An id of another tenant is as absent as one that nobody registered. */
export const getLearningPolicy = defineOperation({
  name: 'getLearningPolicy',
  summary: 'Show a learning policy of the tenant.',
  tag: 'Learning',
  effect: 'read',
  input: { id: learningText() },
  output: PolicyEntryResponse,
  requires: { capability: 'policy_admin' },
  checks: ['authority', 'id'],
  errors: ['invalid_request', 'forbidden', 'record_not_found'],
  handler: async ({ runtime, credential, input }) => {
    const { tenantId } = credential;
    const entry = await runtime.store.read((tx) => findPolicy(tx, tenantId, input.id));
    if (entry === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, entry: showEntry(tenantId, input.id, entry) };
  },
});
