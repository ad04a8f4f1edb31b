/** `readToolDevelopment`: returns the current state of a development. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedRead } from '../scoped-operation.js';
import { ToolDevelopmentRead, ToolDevelopmentResponse } from './development-schema.js';
import { findDevelopment } from './tool-store.js';

/** Returns the state without its events; see `readToolDevelopmentEvent`. */
export const readToolDevelopment = defineTenantOperation({
  ...scopedRead,
  name: 'readToolDevelopment',
  summary: 'Read where the development of a tool stands.',
  example: { document: { ...inExampleScope, request_id: 'word-count' } },
  tag: 'Tools',
  input: { document: ToolDevelopmentRead },
  output: ToolDevelopmentResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, request_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    const development = await runtime.store.read((tx) => findDevelopment(tx, namespace, id));
    if (development === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, development };
  },
});
