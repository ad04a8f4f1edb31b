/** `readProcedure`: returns a procedure with its figures. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedRead } from '../scoped-operation.js';
import { LearningReadRequest, ProcedureResponse } from './procedure-schema.js';
import { findProcedure } from './procedure-store.js';
import { showProcedure } from './show-procedure.js';

/** Returns the proposal and the current state. */
export const readProcedure = defineTenantOperation({
  ...scopedRead,
  name: 'readProcedure',
  summary: 'Read a procedure of a scope, with its figures.',
  example: { document: { ...inExampleScope, procedure_id: 'read-twice' } },
  tag: 'Learning',
  input: { document: LearningReadRequest },
  output: ProcedureResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  handler: async ({ runtime, credential, input }) => {
    const { scope, procedure_id: id } = input.document;
    const namespace = namespaceOf(credential, scope);
    const procedure = await runtime.store.read((tx) => findProcedure(tx, namespace, id));
    if (procedure === undefined) throw new AgentkeepError('record_not_found');
    return {
      contract_version: CONTRACT_VERSION,
      procedure: showProcedure(namespace, procedure),
    };
  },
});
