/** Policies, contexts, procedures and their evaluations. */
import { placed, version } from './documents.js';
import { cursor, inScope, learnedResource, scoped, scopeList, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const failures = [400, 401, 403, 404, 409, 413] as const;

const policy_id = 'summaries-v1';
const context_id = 'summaries-on-m1';
const procedure_id = 'read-twice';

/** The rows by operation. */
export const learningRows = {
  registerLearningPolicy: {
    failures,
    call: {
      document: {
        ...version,
        id: policy_id,
        definition: {
          algorithm: 'fixed_budget_hoeffding_v1',
          parameters: {
            qualification_trials: 40,
            confidence_delta: 0.05,
            min_improvement: 0,
            min_candidate_utility: 0.5,
            max_cost_units: 10,
            max_latency_ms: 2_000,
            max_failure_streak: 3,
            evaluator_id: 'judge',
            evaluation_contract: 'summaries-bench-v1',
          },
        },
      },
    },
    teaches: [learnedResource('policy', 'document.id')],
  },
  getLearningPolicy: {
    failures,
    call: { id: 'pol' },
    uses: [use('policy', { 'path.id': 'id' })],
  },
  registerLearningContext: {
    failures,
    call: {
      document: {
        ...version,
        id: context_id,
        context: {
          task: 'summarise',
          baseline_revision: 'base-1',
          model_provider: 'local',
          model_revision: 'm1',
          environment_revision: 'env-1',
          evaluation_contract: 'summaries-bench-v1',
          dataset_revision: 'data-1',
          harness_revision: 'harness-1',
          permissions_revision: 'perm-1',
          tools: { search: 'v1' },
        },
      },
    },
    teaches: [learnedResource('context', 'document.id', { digest: 'answer.entry.payload_digest' })],
  },
  getLearningContext: {
    failures,
    call: { id: 'ctx' },
    uses: [use('context', { 'path.id': 'id' })],
  },
  proposeProcedure: {
    failures,
    call: {
      document: {
        ...placed,
        proposal: {
          id: procedure_id,
          policy_id,
          context_id,
          instructions: 'Read the ticket twice, then write two sentences.',
          source_refs: ['trace:9'],
        },
      },
    },
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
    call: { document: { ...placed, procedure_id } },
    uses: [use('procedure', { 'document.procedure_id': 'id', ...inScope })],
  },
  admitEvaluation: {
    failures,
    call: {
      document: {
        ...placed,
        procedure_id,
        submission: {
          case_id: 'case-1',
          phase: 'Qualification',
          policy_id,
          context_id,
          baseline_revision: 'base-1',
          evidence_ref: 'run:1/case-1',
          status: 'complete',
          baseline_utility: 0.4,
          candidate_utility: 0.9,
          candidate_cost_units: 3,
          candidate_latency_ms: 850,
        },
      },
    },
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
    call: { document: { ...placed, procedure_id, case_id: 'case-1' } },
    uses: [
      use('case', { ...inScope, 'document.case_id': 'id', 'document.procedure_id': 'procedure' }),
    ],
  },
  selectProcedure: {
    failures,
    call: { document: { ...placed, policy_id, context_id, max_instruction_bytes: 65_536 } },
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
    call: { document: { ...placed, limit: 1 } },
    ...scopeList('procedures'),
  },
  listEvaluations: {
    failures,
    call: { document: { ...placed, procedure_id, limit: 1 } },
    ...scopeList('evaluations', {
      uses: [use('procedure', { 'document.procedure_id': 'id', ...inScope })],
    }),
  },
  listLearningPolicies: {
    failures,
    call: { parameters: { ...version, limit: 1 } },
    ...cursor('policies', 'answer.page'),
  },
  listLearningContexts: {
    failures,
    call: { parameters: { ...version, limit: 1 } },
    ...cursor('contexts', 'answer.page'),
  },
} satisfies OperationRows;
