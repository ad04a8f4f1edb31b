/** `requestToolDevelopment`: requests a tool, or the repair of one, from an executor. */
import { inExampleScope } from '../../../contract/example-values.js';
import { type Actor, actorOf } from '../../../kernel/access/actor.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { originalOf } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import { isSameDocument } from '../../../contract/schema/document-digest.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { newDevelopment } from './development.js';
import {
  ToolDevelopmentCreate,
  type ToolDevelopmentReceipt,
  ToolDevelopmentReceiptResponse,
  type ToolDevelopmentRequest,
} from './development-schema.js';
import { findArtifact, findDevelopment, findExecutor, putDevelopment } from './tool-store.js';

/** Dispatches nothing. The executor reads the request by its id, in a scope that both share. */
export const requestToolDevelopment = defineTenantOperation({
  name: 'requestToolDevelopment',
  summary: 'Request the development or repair of a tool from an executor.',
  example: {
    document: {
      ...inExampleScope,
      request: {
        id: 'word-count',
        executor_id: 'builder',
        objective: 'Count the words of a text.',
      },
    },
  },
  tag: 'Tools',
  input: { document: ToolDevelopmentCreate },
  output: ToolDevelopmentReceiptResponse,
  requires: { capability: 'tool_develop', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  deferred: 'request',
  errors: ['record_not_found', 'idempotency_conflict'],
  handler: async (call) => {
    // A repeat is found by the id, and compared with what is stored by the objective too.
    call.checkDeferred('request.id');
    call.checkDeferred('request.objective');
    const { runtime, credential, input, nowMs } = call;
    const { scope, request } = input.document;
    const namespace = namespaceOf(credential, scope);
    const actor = actorOf(credential);
    const receipt = await runtime.store.transact((tx) => {
      call.confirm(tx);
      const original = originalOf(findDevelopment(tx, namespace, request.id), (known) =>
        isRepeated(known.receipt, request, actor),
      );
      if (original !== undefined) return original.receipt;
      // An invalid id might not fit into a key.
      call.checkDeferred('request.executor_id');
      const executor = findExecutor(tx, namespace.tenantId, request.executor_id);
      if (executor === undefined) throw new AgentkeepError('record_not_found');
      call.checkDeferred();
      const { parent_artifact_id: parentId } = request;
      if (parentId !== null && findArtifact(tx, namespace, parentId) === undefined) {
        throw new AgentkeepError('record_not_found');
      }
      const development = newDevelopment(namespace, request, { actor, nowMs, executor });
      putDevelopment(tx, namespace, development);
      return development.receipt;
    });
    return { contract_version: CONTRACT_VERSION, receipt };
  },
});

/**
 * Returns whether request and subject match the known development. Another subject is a conflict.
 */
function isRepeated(
  known: ToolDevelopmentReceipt,
  request: ToolDevelopmentRequest,
  actor: Actor,
): boolean {
  return known.actor.subject_id === actor.subject_id && isSameDocument(known.request, request);
}
