/** `readToolExecutor`: returns an executor of the tenant. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { ledgerId } from '../../../contract/schema/ledger-text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { ToolExecutorResponse } from './schema.js';
import { findExecutor } from './tool-store.js';

/** Requires no grant: executors belong to the tenant. */
export const readToolExecutor = defineTenantOperation({
  name: 'readToolExecutor',
  summary: 'Read an executor of tools.',
  example: { id: 'w1' },
  tag: 'Tools',
  effect: 'read',
  input: { id: ledgerId },
  output: ToolExecutorResponse,
  requires: { capability: 'tool_admin' },
  checks: authorityFirstChecks,
  errors: ['record_not_found'],
  handler: async ({ runtime, credential, input }) => {
    const executor = await runtime.store.read((tx) =>
      findExecutor(tx, credential.tenantId, input.id),
    );
    if (executor === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, executor };
  },
});
