/** `readEvaluationAdmission`: returns the receipt of an evaluation. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopedRead } from '../scoped-operation.js';
import { findAdmission } from './admission-store.js';
import { AdmissionResponse, LearningReceiptRequest } from './evaluation-schema.js';
import { findProcedure } from './procedure-store.js';
import { showAdmission } from './show-admission.js';

/** A missing procedure and a missing case give the same error. */
export const readEvaluationAdmission = defineTenantOperation({
  ...scopedRead,
  name: 'readEvaluationAdmission',
  summary: 'Read the receipt of an evaluation of a procedure.',
  example: { document: { ...inExampleScope, procedure_id: 'read-twice', case_id: 'case-1' } },
  tag: 'Learning',
  input: { document: LearningReceiptRequest },
  output: AdmissionResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  handler: ({ runtime, credential, input }) => {
    const { scope, procedure_id: id, case_id: caseId } = input.document;
    const namespace = namespaceOf(credential, scope);
    return runtime.store.read((tx) => {
      const procedure = findProcedure(tx, namespace, id);
      const admission = findAdmission(tx, namespace, id, caseId);
      if (procedure === undefined || admission === undefined) {
        throw new AgentkeepError('record_not_found');
      }
      return {
        contract_version: CONTRACT_VERSION,
        receipt: showAdmission(namespace, procedure, admission),
      };
    });
  },
});
