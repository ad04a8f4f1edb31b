/** Policies, contexts, procedures and their evaluations. */
import { cursor, inScope, learnedResource, scoped, scopeList, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const failures = [400, 401, 403, 404, 409, 413] as const;

/** The rows by operation. */
export const learningRows = {
  registerLearningPolicy: {
    failures,
    teaches: [learnedResource('policy', 'document.id')],
  },
  getLearningPolicy: {
    failures,
    uses: [use('policy', { 'path.id': 'id' })],
  },
  registerLearningContext: {
    failures,
    teaches: [learnedResource('context', 'document.id', { digest: 'answer.entry.payload_digest' })],
  },
  getLearningContext: {
    failures,
    uses: [use('context', { 'path.id': 'id' })],
  },
  proposeProcedure: {
    failures,
    uses: [
      use('policy', { 'document.proposal.policy_id': 'id' }),
      use('context', { 'document.proposal.context_id': 'id' }),
    ],
    teaches: [
      learnedResource('procedure', 'document.proposal.id', {
        ...scoped,
        policy: 'document.proposal.policy_id',
        context: 'document.proposal.context_id',
      }),
    ],
  },
  readProcedure: {
    failures,
    uses: [use('procedure', { 'document.procedure_id': 'id', ...inScope })],
  },
  admitEvaluation: {
    failures,
    uses: [
      use('procedure', {
        ...inScope,
        'document.procedure_id': 'id',
        'document.submission.policy_id': 'policy',
        'document.submission.context_id': 'context',
      }),
    ],
    teaches: [
      learnedResource('case', 'document.submission.case_id', {
        ...scoped,
        procedure: 'document.procedure_id',
      }),
    ],
  },
  readEvaluationAdmission: {
    failures,
    uses: [
      use('case', { ...inScope, 'document.case_id': 'id', 'document.procedure_id': 'procedure' }),
    ],
  },
  selectProcedure: {
    failures,
    uses: [
      use('procedure', {
        ...inScope,
        'document.policy_id': 'policy',
        'document.context_id': 'context',
      }),
    ],
  },
  listProcedures: {
    failures,
    ...scopeList('procedures'),
  },
  listEvaluations: {
    failures,
    ...scopeList('evaluations', {
      uses: [use('procedure', { 'document.procedure_id': 'id', ...inScope })],
    }),
  },
  listLearningPolicies: {
    failures,
    ...cursor('policies', 'answer.page'),
  },
  listLearningContexts: {
    failures,
    ...cursor('contexts', 'answer.page'),
  },
} satisfies OperationRows;
