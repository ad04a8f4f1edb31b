/** `registerToolArtifact`: stores an immutable tool of a scope with its provenance. */
import { inExampleScope } from '../../../contract/example-values.js';
import { actorOf } from '../../../kernel/access/actor.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { originalOf } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedOperation } from '../scoped-operation.js';
import { newArtifact } from './artifact.js';
import { ToolArtifactRequest, ToolArtifactResponse } from './schema.js';
import { findArtifact, insertArtifact } from './tool-store.js';

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
