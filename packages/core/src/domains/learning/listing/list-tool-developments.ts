/** `listToolDevelopments`: pages through the developments of tools of a scope. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { developmentsAfter } from '../tool/tool-store.js';
import { scopedOperation } from '../scoped-operation.js';
import { ScopeListRequest, ToolDevelopmentsResponse } from './list-schema.js';
import { listNamespace } from './namespace-list.js';

/** In the order of stored keys. */
export const listToolDevelopments = defineTenantOperation({
  ...scopedOperation,
  name: 'listToolDevelopments',
  summary: 'List the developments of tools of a scope, with where each stands.',
  example: { document: { ...inExampleScope, limit: 1 } },
  command: {
    name: 'tools developments',
    columns: ['receipt.request.id', 'state', 'reason', 'revision', 'artifact_id'],
    examples: [
      'agentkeep tools developments --project-id support --agent-id helper --visibility ' +
        'shared',
    ],
  },
  tag: 'Tools',
  effect: 'read',
  input: { document: ScopeListRequest },
  output: ToolDevelopmentsResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, input.document.scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['developments'],
      read: (tx, span) => developmentsAfter(tx, namespace, span),
      show: (development) => development,
      idOf: ({ receipt }) => receipt.request.id,
    });
  },
});
