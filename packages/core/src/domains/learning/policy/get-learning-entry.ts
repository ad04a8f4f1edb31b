/** `getLearningPolicy`, `getLearningContext`: return a learning policy or evaluation context. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findContext, findLearningPolicy, type StoredEntry } from './entry-store.js';
import { ContextEntryResponse, learningText, PolicyEntryResponse } from './schema.js';
import { showEntry } from './show-entry.js';

const input = { id: learningText() };

/** Members of both. An id of another tenant gives the same error as an unknown one. */
const lookup = {
  tag: 'Learning',
  effect: 'read',
  input,
  requires: { capability: 'policy_admin' },
  checks: authorityFirstChecks,
  errors: ['record_not_found'],
} as const;

/** Returns a policy. */
export const getLearningPolicy = defineTenantOperation({
  ...lookup,
  name: 'getLearningPolicy',
  summary: 'Show a learning policy of the tenant.',
  example: { id: 'pol' },
  output: PolicyEntryResponse,
  handler: (request) => show(request, findLearningPolicy),
});

/** Returns a context. */
export const getLearningContext = defineTenantOperation({
  ...lookup,
  name: 'getLearningContext',
  summary: 'Show an evaluation context of the tenant.',
  example: { id: 'ctx' },
  output: ContextEntryResponse,
  handler: (request) => show(request, findContext),
});

async function show<P>(
  { runtime, credential: { tenantId }, input: { id } }: TenantRequest<typeof input>,
  find: (tx: ReadTx, tenantId: string, id: string) => StoredEntry<P> | undefined,
) {
  const entry = await runtime.store.read((tx) => find(tx, tenantId, id));
  if (entry === undefined) throw new AgentkeepError('record_not_found');
  return { contract_version: CONTRACT_VERSION, entry: showEntry(tenantId, id, entry) };
}
