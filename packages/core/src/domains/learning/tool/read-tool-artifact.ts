/** `readToolArtifact`: returns a tool of a scope. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedRead } from '../scoped-operation.js';
import { ToolArtifactRead, ToolArtifactResponse } from './schema.js';
import { findArtifact } from './tool-store.js';

/** Returns the tool only if all its digests match. */
export const readToolArtifact = defineTenantOperation({
  ...scopedRead,
  name: 'readToolArtifact',
  summary: 'Read a tool of a scope.',
  example: { document: { ...inExampleScope, artifact_id: 'word-count-1' } },
  tag: 'Tools',
  input: { document: ToolArtifactRead },
  output: ToolArtifactResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, artifact_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    const artifact = await runtime.store.read((tx) => findArtifact(tx, namespace, id));
    if (artifact === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, artifact };
  },
});
