/** `listEvaluations`: pages through the receipts of the evaluations of a procedure. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { admissionsAfter } from '../procedure/admission-store.js';
import { findProcedure } from '../procedure/procedure-store.js';
import { showAdmission } from '../procedure/show-admission.js';
import { scopedRead } from '../scoped-operation.js';
import { EvaluationsRequest, EvaluationsResponse } from './list-schema.js';
import { listNamespace } from './namespace-list.js';

/** In the order of stored keys, which is that of the cases and not of time. */
export const listEvaluations = defineTenantOperation({
  ...scopedRead,
  name: 'listEvaluations',
  summary: 'List the receipts of the evaluations of a procedure.',
  example: { document: { ...inExampleScope, procedure_id: 'read-twice', limit: 1 } },
  command: {
    name: 'learning evaluations',
    columns: ['submission.case_id', 'outcome', 'reason', 'state_after', 'recorded_at_millis'],
    examples: [
      'agentkeep learning evaluations --procedure-id greet-first --project-id support ' +
        '--agent-id helper --visibility shared',
    ],
  },
  tag: 'Learning',
  input: { document: EvaluationsRequest },
  output: EvaluationsResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  isHeavy: true,
  handler: ({ runtime, credential, input }) => {
    const { scope, procedure_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    return listNamespace(runtime.store, input.document, {
      namespace,
      of: ['evaluations', id],
      read: (tx, span) => {
        const procedure = findProcedure(tx, namespace, id);
        if (procedure === undefined) throw new AgentkeepError('record_not_found');
        const found = admissionsAfter(tx, namespace, id, span);
        return found.map((admission) => ({ procedure, admission }));
      },
      show: ({ procedure, admission }) => showAdmission(namespace, procedure, admission),
      idOf: ({ admission }) => admission.submission.case_id,
    });
  },
});
