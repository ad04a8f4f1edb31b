/** `listToolArtifacts`: pages through the tools of a scope. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { artifactsAfter } from '../tool/tool-store.js';
import { scopedOperation } from '../scoped-operation.js';
import { ScopeListRequest, ToolArtifactsResponse } from './list-schema.js';
import { listNamespace } from './namespace-list.js';

/** In the order of stored keys. */
export const listToolArtifacts = defineTenantOperation({
  ...scopedOperation,
  name: 'listToolArtifacts',
  summary: 'List the tools of a scope.',
  example: { document: { ...inExampleScope, limit: 1 } },
  command: {
    name: 'tools list',
    columns: ['proposal.id', 'proposal.entrypoint', 'actor.subject_id', 'recorded_at_millis'],
    examples: ['agentkeep tools list --project-id support --agent-id helper --visibility shared'],
  },
  tag: 'Tools',
  effect: 'read',
  input: { document: ScopeListRequest },
  output: ToolArtifactsResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, input.document.scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['artifacts'],
      read: (tx, span) => artifactsAfter(tx, namespace, span),
      show: (artifact) => artifact,
      idOf: ({ proposal }) => proposal.id,
    });
  },
});
