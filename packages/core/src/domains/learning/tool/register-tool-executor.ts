/** `registerToolExecutor`: stores a tool developer with its runtime and budget. */
import { exampleVersion } from '../../../contract/example-values.js';
import { actorOf } from '../../../kernel/access/actor.js';
import { originalOf } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
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
  example: {
    document: {
      ...exampleVersion,
      profile: {
        id: 'builder',
        subject_id: 'worker',
        runtime_image_digest:
          'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        environment_revision: 'env-1',
        permissions_revision: 'perm-1',
        max_cost_units: 100,
        max_latency_ms: 60_000,
      },
    },
  },
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
