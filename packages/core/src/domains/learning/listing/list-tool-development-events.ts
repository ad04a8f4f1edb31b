/** `listToolDevelopmentEvents`: pages through the events of the development of a tool. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedRead } from '../scoped-operation.js';
import { developmentEventsAfter, findDevelopment } from '../tool/tool-store.js';
import { DevelopmentEventsRequest, DevelopmentEventsResponse } from './list-schema.js';
import { listNamespace } from './namespace-list.js';

/** In the order of stored keys; the revision of the state after each is that of time. */
export const listToolDevelopmentEvents = defineTenantOperation({
  ...scopedRead,
  name: 'listToolDevelopmentEvents',
  summary: 'List the events of the development of a tool, each with the state after it.',
  example: { document: { ...inExampleScope, request_id: 'word-count', limit: 1 } },
  command: {
    name: 'tools events',
    columns: [
      ...['command.event_id', 'command.action.type', 'record.state', 'record.reason'],
      ...['record.revision', 'recorded_at_millis'],
    ],
    examples: [
      'agentkeep tools events --request-id frame-number --project-id support --agent-id ' +
        'helper --visibility shared',
    ],
  },
  tag: 'Tools',
  input: { document: DevelopmentEventsRequest },
  output: DevelopmentEventsResponse,
  requires: { capability: 'tool_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const { scope, request_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['development events', id],
      read: (tx, span) => {
        const development = findDevelopment(tx, namespace, id);
        if (development === undefined) throw new AgentkeepError('record_not_found');
        return developmentEventsAfter(tx, namespace, id, span);
      },
      show: (event) => event,
      idOf: ({ command }) => command.event_id,
    });
  },
});
