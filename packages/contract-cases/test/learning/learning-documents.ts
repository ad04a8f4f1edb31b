/** Learning documents that the tests of the contract start from. */
import type { Members } from '../harness/caller.js';

/** Parameters that a handful of perfect trials satisfies. */
const parameters = {
  qualification_trials: 4,
  confidence_delta: 0.4,
  min_improvement: 0,
  min_candidate_utility: 0.5,
  max_cost_units: 10,
  max_latency_ms: 100,
  max_failure_streak: 3,
  evaluator_id: 'judge',
  evaluation_contract: 'bench-v1',
} as const;

/** Returns a policy definition with some parameters replaced. */
export function definition(
  members: Members = {},
  algorithm = 'fixed_budget_hoeffding_v1',
): Record<string, unknown> {
  return { algorithm, parameters: { ...parameters, ...members } };
}

/** Returns a context with some members replaced. */
export function context(members: Members = {}): Record<string, unknown> {
  return {
    task: 'summarise',
    baseline_revision: 'base-1',
    model_provider: 'local',
    model_revision: 'm1',
    environment_revision: 'env-1',
    evaluation_contract: 'bench-v1',
    dataset_revision: 'data-1',
    harness_revision: 'harness-1',
    permissions_revision: 'perm-1',
    tools: { search: 'v1', read: 'v2' },
    ...members,
  };
}

/** Returns a proposal for the policy `pol` and the context `ctx`. */
export function proposal(members: Members = {}): Record<string, unknown> {
  return {
    id: 'c1',
    policy_id: 'pol',
    context_id: 'ctx',
    instructions: 'Read twice, then write.',
    source_refs: ['trace-9'],
    ...members,
  };
}

/** Returns a perfect trial of a case, with its own evidence. */
export function submission(case_id: string, members: Members = {}): Record<string, unknown> {
  return {
    case_id,
    phase: 'Qualification',
    policy_id: 'pol',
    context_id: 'ctx',
    baseline_revision: 'base-1',
    evidence_ref: `evidence of ${case_id}`,
    status: 'complete',
    baseline_utility: 0,
    candidate_utility: 1,
    candidate_cost_units: 10,
    candidate_latency_ms: 100,
    detail: null,
    ...members,
  };
}

/** Returns a good evaluation of an active procedure. */
export function watch(case_id: string, members: Members = {}): Record<string, unknown> {
  return submission(case_id, { phase: 'Monitoring', ...members });
}

/** Returns a bad evaluation of an active procedure. */
export function failure(case_id: string): Record<string, unknown> {
  return watch(case_id, { candidate_utility: 0 });
}
