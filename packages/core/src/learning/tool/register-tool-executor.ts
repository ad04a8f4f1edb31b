/** `registerToolExecutor`: stores a tool developer with its runtime and budget. */
import { actorOf } from '../../access/actor.js';
import { originalOf } from '../../runtime/idempotency/original-of.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import { authorityFirstChecks } from '../../runtime/operation/orders-of-checks.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { newExecutor } from './executor.js';
import { ToolExecutorRequest, ToolExecutorResponse } from './schema.js';
import { findExecutor, insertExecutor } from './tool-store.js';

/**
 * Immutable: an equal profile of any subject returns the original. A different one needs another
 * id.
 */
export const registerToolExecutor = defineTenantOperation({
  name: 'registerToolExecutor',
  summary: 'Register an executor of tools: its subject, its runtime and its budget.',
  tag: 'Tools',
  input: { document: ToolExecutorRequest },
  output: ToolExecutorResponse,
  requires: { capability: 'tool_admin' },
  checks: authorityFirstChecks,
  errors: ['idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { tenantId } = credential;
    const made = newExecutor(input.document.profile, {
      tenantId,
      actor: actorOf(credential),
      nowMs,
    });
    const executor = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const original = originalOf(
        findExecutor(tx, tenantId, made.profile.id),
        (known) => known.profile_digest === made.profile_digest,
      );
      if (original !== undefined) return original;
      insertExecutor(tx, made);
      return made;
    });
    return { contract_version: CONTRACT_VERSION, executor };
  },
});
