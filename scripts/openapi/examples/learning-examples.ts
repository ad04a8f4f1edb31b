/** Examples of requests to learning, tools and experiences. */
import { placed, sha256, version } from './parts.ts';

const policy_id = 'summaries-v1';
const context_id = 'summaries-on-m1';
const procedure_id = 'read-twice';
const image = `sha256:${sha256}`;

const artifact = {
  id: 'word-count-1',
  source: 'export const run = (text) => text.split(/\\s+/).length;\n',
  dependency_lock: '',
  runtime_image_digest: image,
  entrypoint: 'run',
  input_schema: { type: 'string' },
  output_schema: { type: 'integer' },
  source_refs: ['development:word-count'],
} as const;

/** By the names of operations. */
export const learningExamples = {
  registerLearningPolicy: {
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
  registerLearningContext: {
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
  proposeProcedure: {
    ...placed,
    proposal: {
      id: procedure_id,
      policy_id,
      context_id,
      instructions: 'Read the ticket twice, then write two sentences.',
      source_refs: ['trace:9'],
    },
  },
  readProcedure: { ...placed, procedure_id },
  admitEvaluation: {
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
  readEvaluationAdmission: { ...placed, procedure_id, case_id: 'case-1' },
  selectProcedure: { ...placed, policy_id, context_id, max_instruction_bytes: 65_536 },
  registerToolExecutor: {
    ...version,
    profile: {
      id: 'builder',
      subject_id: 'worker',
      runtime_image_digest: image,
      environment_revision: 'env-1',
      permissions_revision: 'perm-1',
      max_cost_units: 100,
      max_latency_ms: 60_000,
    },
  },
  registerToolArtifact: { ...placed, artifact },
  readToolArtifact: { ...placed, artifact_id: artifact.id },
  requestToolDevelopment: {
    ...placed,
    request: { id: 'word-count', executor_id: 'builder', objective: 'Count the words of a text.' },
  },
  readToolDevelopment: { ...placed, request_id: 'word-count' },
  recordToolDevelopmentEvent: {
    ...placed,
    request_id: 'word-count',
    command: {
      event_id: 'report-1',
      expected_revision: 1,
      action: {
        type: 'report',
        report: {
          executor_profile_digest: sha256,
          outcome: 'succeeded',
          evidence_ref: 'log:1',
          artifact,
        },
      },
    },
  },
  readToolDevelopmentEvent: { ...placed, request_id: 'word-count', event_id: 'report-1' },
  registerExperience: {
    ...placed,
    request: {
      id: 'attempt-1',
      context_id,
      reporter_subject_id: 'judge',
      accounting_unit: 'credit-v1',
      input: { reference: 'ticket:7801', sha256 },
    },
  },
  readExperience: { ...placed, attempt_id: 'attempt-1' },
  recordExperienceEvent: {
    ...placed,
    attempt_id: 'attempt-1',
    command: {
      event_id: 'outcome-1',
      expected_revision: 1,
      context_digest: sha256,
      outcome: 'succeeded',
      evidence: { reference: 'log:1', sha256 },
      cost_units: 3,
      latency_ms: 850,
    },
  },
  readExperienceEvent: { ...placed, attempt_id: 'attempt-1', event_id: 'outcome-1' },
  readExperienceHistory: { ...placed, attempt_id: 'attempt-1', query: { limit: 20 } },
} as const;
