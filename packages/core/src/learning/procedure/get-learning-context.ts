/**
 * `getLearningContext`: an evaluation context of the tenant.
 *
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { defineOperation } from '../../runtime/operation.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { findContext } from './entry-store.js';
import { learningText, ContextEntryResponse } from './schema.js';
import { showEntry } from './show-entry.js';

/** An id of another tenant is as absent as one that nobody registered. */
export const getLearningContext = defineOperation({
  name: 'getLearningContext',
  summary: 'Show an evaluation context of the tenant.',
  tag: 'Learning',
  effect: 'read',
  input: { id: learningText() },
  output: ContextEntryResponse,
  requires: { capability: 'policy_admin' },
  checks: ['authority', 'id'],
  errors: ['invalid_request', 'forbidden', 'record_not_found'],
  handler: async ({ runtime, credential, input }) => {
    const { tenantId } = credential;
    const entry = await runtime.store.read((tx) => findContext(tx, tenantId, input.id));
    if (entry === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, entry: showEntry(tenantId, input.id, entry) };
  },
});
