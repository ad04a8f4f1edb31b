/** `readToolDevelopmentEvent`: returns one event of a development, with the resulting state. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedRead } from '../scoped-operation.js';
import { ToolEventRead, ToolEventResponse } from './development-schema.js';
import { findDevelopmentEvent } from './tool-store.js';

/** Events never change. */
export const readToolDevelopmentEvent = defineTenantOperation({
  ...scopedRead,
  name: 'readToolDevelopmentEvent',
  summary: 'Read an event of the development of a tool, with the state after it.',
  example: { document: { ...inExampleScope, request_id: 'word-count', event_id: 'report-1' } },
  tag: 'Tools',
  input: { document: ToolEventRead },
  output: ToolEventResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, request_id: requestId, event_id: eventId } = input.document;
    const namespace = namespaceOf(credential, scope);
    const event = await runtime.store.read((tx) =>
      findDevelopmentEvent(tx, namespace, requestId, eventId),
    );
    if (event === undefined) throw new AgentkeepError('record_not_found');
    return { contract_version: CONTRACT_VERSION, event };
  },
});
