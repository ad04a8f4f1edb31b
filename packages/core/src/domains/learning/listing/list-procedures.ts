/** `listProcedures`: pages through the procedures of a scope, with where each stands. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { utf8Bytes } from '../../../contract/schema/text.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { proceduresAfter, type StoredProcedure } from '../procedure/procedure-store.js';
import { shownStanding } from '../procedure/show-procedure.js';
import { scopedOperation } from '../scoped-operation.js';
import { type ListedProcedure, ProceduresResponse, ScopeListRequest } from './list-schema.js';
import { listNamespace } from './namespace-list.js';

/** In the order of stored keys. Instructions are left out; see `readProcedure`. */
export const listProcedures = defineTenantOperation({
  ...scopedOperation,
  name: 'listProcedures',
  summary: 'List the procedures of a scope, with where each stands.',
  example: { document: { ...inExampleScope, limit: 1 } },
  command: {
    name: 'learning procedures',
    columns: [
      ...['id', 'state', 'qualification_count', 'mean_improvement', 'policy_id'],
      ...['context_id', 'created_at_millis'],
    ],
    examples: [
      'agentkeep learning procedures --project-id support --agent-id helper --visibility ' +
        'shared',
    ],
  },
  tag: 'Learning',
  effect: 'read',
  input: { document: ScopeListRequest },
  output: ProceduresResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const namespace = namespaceOf(credential, input.document.scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['procedures'],
      read: (tx, span) => proceduresAfter(tx, namespace, span),
      show: listedProcedure,
      idOf: ({ proposal }) => proposal.request.id,
    });
  },
});

function listedProcedure(procedure: StoredProcedure): ListedProcedure {
  const { id, policy_id, context_id, instructions } = procedure.proposal.request;
  const { policy, context } = procedure.basis;
  const { task, baseline_revision } = context.payload;
  const { algorithm, parameters } = policy.payload;
  return {
    id,
    policy_id,
    context_id,
    algorithm,
    policy: { ...parameters },
    task,
    baseline_revision,
    instruction_bytes: utf8Bytes(instructions),
    ...shownStanding(procedure),
  };
}
