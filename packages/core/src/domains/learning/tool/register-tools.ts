/** The operations that register artifacts and executors of tools. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion, inExampleScope } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { actorOf } from '../../../kernel/access/actor.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { originalOf } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { scopedOperation } from '../scoped-operation.js';
import { newArtifact } from './artifact.js';
import { newExecutor } from './executor.js';
import {
  ToolArtifactRequest,
  ToolArtifactResponse,
  ToolExecutorRequest,
  ToolExecutorResponse,
} from './schema.js';
import { findArtifact, findExecutor, insertArtifact, insertExecutor } from './tool-store.js';

/** An equal proposal of any subject returns the original. A different one needs another id. */
export const registerToolArtifact = defineTenantOperation({
  ...scopedOperation,
  name: 'registerToolArtifact',
  summary: 'Register a tool of a scope: source, runtime, interface and provenance.',
  example: {
    document: {
      ...inExampleScope,
      artifact: {
        id: 'word-count-1',
        source: 'export const run = (text) => text.split(/\\s+/).length;\n',
        dependency_lock: '',
        runtime_image_digest:
          'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        entrypoint: 'run',
        input_schema: { type: 'string' },
        output_schema: { type: 'integer' },
        source_refs: ['development:word-count'],
      },
    },
  },
  tag: 'Tools',
  input: { document: ToolArtifactRequest },
  output: ToolArtifactResponse,
  requires: { capability: 'tool_develop', scope: ({ document }) => document.scope },
  errors: ['record_not_found', 'idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const namespace = namespaceOf(credential, input.document.scope);
    const { artifact: proposal } = input.document;
    const made = newArtifact(namespace, proposal, { actor: actorOf(credential), nowMs });
    const artifact = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const original = originalOf(
        findArtifact(tx, namespace, proposal.id),
        (known) => known.artifact_digest === made.artifact_digest,
      );
      if (original !== undefined) return original;
      const { parent_artifact_id: parentId } = proposal;
      if (parentId !== null && findArtifact(tx, namespace, parentId) === undefined) {
        throw new AgentkeepError('record_not_found');
      }
      insertArtifact(tx, namespace, made);
      return made;
    });
    return { contract_version: CONTRACT_VERSION, artifact };
  },
});

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
