/** Documents of learning, tools and experiences for the samples of stored values. */
import { namespaceOf } from '../../src/kernel/access/namespace.js';
import type { ActingCredential } from '../../src/kernel/access/principal.js';
import { newAttempt, observe } from '../../src/domains/learning/experience/attempt.js';
import type { EvaluationSubmission } from '../../src/domains/learning/procedure/evaluation-schema.js';
import type { LearningProposal } from '../../src/domains/learning/procedure/procedure-schema.js';
import type {
  EvaluationContext,
  PolicyDefinition,
} from '../../src/domains/learning/policy/schema.js';
import { newArtifact } from '../../src/domains/learning/tool/artifact.js';
import { newDevelopment } from '../../src/domains/learning/tool/development.js';
import type { ToolDevelopmentEvent } from '../../src/domains/learning/tool/development-schema.js';
import { newExecutor } from '../../src/domains/learning/tool/executor.js';

export const ID = '01934f2a-7c1b-7000-8000-000000000001';
export const OTHER_ID = '01934f2a-7c1b-7000-8000-000000000002';
export const actor = { subject_id: 'worker', credential_id: ID };

export const credential: ActingCredential = {
  id: ID,
  tenantId: 'acme',
  spec: { subject_id: 'worker', capabilities: [], grants: [], expires_at_millis: null },
  revision: 1,
  verifier: '',
  revokedAtMillis: null,
};

export const namespace = namespaceOf(credential, {
  project_id: 'apollo',
  mission_id: 'm1',
  agent_id: 'planner',
  visibility: 'private',
});

export const policy: PolicyDefinition = {
  algorithm: 'fixed_budget_hoeffding_v1',
  parameters: {
    qualification_trials: 2,
    confidence_delta: 0.1,
    min_improvement: 0,
    min_candidate_utility: 0.5,
    max_cost_units: 10,
    max_latency_ms: 20,
    max_failure_streak: 3,
    evaluator_id: 'judge',
    evaluation_contract: 'v1',
  },
};

export const context: EvaluationContext = {
  task: 't',
  baseline_revision: 'b',
  model_provider: 'p',
  model_revision: 'm',
  environment_revision: 'e',
  evaluation_contract: 'v1',
  dataset_revision: 'd',
  harness_revision: 'h',
  permissions_revision: 'r',
  tools: { one: '1', two: '2' },
};

export const proposal: LearningProposal = {
  id: 'proc',
  policy_id: 'pol',
  context_id: 'ctx',
  instructions: 'Do it — well.',
  source_refs: ['memory:1'],
};

export const submission: EvaluationSubmission = {
  case_id: 'case-1',
  phase: 'Qualification',
  policy_id: 'pol',
  context_id: 'ctx',
  baseline_revision: 'b',
  evidence_ref: 'run:1',
  status: 'cancelled',
  baseline_utility: null,
  candidate_utility: null,
  candidate_cost_units: null,
  candidate_latency_ms: null,
  detail: 'stopped',
};

const writing = { actor, nowMs: 7 };
const image = `sha256:${'a'.repeat(64)}`;
const sha256 = 'ab'.repeat(32);

export const executor = newExecutor(
  {
    id: 'exec',
    subject_id: 'worker',
    runtime_image_digest: image,
    environment_revision: 'e',
    permissions_revision: 'p',
    max_cost_units: 1,
    max_latency_ms: 2,
  },
  { tenantId: 'acme', ...writing },
);

export const artifact = newArtifact(
  namespace,
  {
    id: 'tool',
    source: 'source',
    dependency_lock: 'lock',
    runtime_image_digest: image,
    entrypoint: 'run',
    input_schema: { type: 'object' },
    output_schema: true,
    source_refs: ['r'],
    parent_artifact_id: null,
    repair_evidence_ref: null,
  },
  writing,
);

export const development = newDevelopment(
  namespace,
  {
    id: 'dev',
    executor_id: 'exec',
    objective: 'o',
    parent_artifact_id: null,
    repair_evidence_ref: null,
  },
  { ...writing, executor },
);

export const developmentEvent: ToolDevelopmentEvent = {
  schema_version: 1,
  command: {
    event_id: 'ev',
    expected_revision: 1,
    action: { type: 'request_cancellation', reason: 'stop' },
  },
  actor,
  record: development,
  recorded_at_millis: 8,
};

export const attempt = newAttempt(
  namespace,
  {
    id: 'att',
    context_id: 'ctx',
    reporter_subject_id: 'worker',
    accounting_unit: 'u',
    input: { reference: 'r', sha256 },
    parent: null,
  },
  { actor, nowMs: 7, contextDigest: sha256, parentEventDigest: null },
);

export const attemptEvent = observe(
  attempt,
  {
    event_id: 'ev',
    expected_revision: 1,
    context_digest: sha256,
    outcome: 'unknown',
    evidence: { reference: 'r', sha256 },
    cost_units: null,
    latency_ms: 5,
  },
  { actor, nowMs: 8 },
);

/** What a record states that was derived from others. */
export const derivedMembers = {
  source: 'model' as const,
  derived_from: [
    { scope: null, record_id: ID, revision: 3 },
    {
      scope: { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' as const },
      record_id: OTHER_ID,
      revision: 1,
    },
  ],
};

/** What a record states that superseded another one and was superseded itself. */
export const endedMembers = {
  valid_until_millis: 2,
  supersedes: [{ record_id: OTHER_ID, revision: 3 }],
  superseded_by: OTHER_ID,
};
