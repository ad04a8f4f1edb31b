/**
 * A policy and a context for procedures under test, registered as `pol` and `ctx`.
 */
import type { LearningClient } from '@agentkeep/core';
import type { PartsOf } from '@agentkeep/core/clients';

type Definition = PartsOf<'registerLearningPolicy'>['document']['definition'];
type Context = PartsOf<'registerLearningContext'>['document']['context'];

/** Makes a policy that two nearly perfect trials satisfy, unless the parameters differ. */
export function evaluationPolicy(
  parameters: Partial<Definition['parameters']> = {},
  algorithm: Definition['algorithm'] = 'fixed_budget_hoeffding_v1',
): Definition {
  return {
    algorithm,
    parameters: {
      qualification_trials: 2,
      confidence_delta: 0.49,
      min_improvement: 0,
      min_candidate_utility: 0,
      max_cost_units: 1,
      max_latency_ms: 1,
      max_failure_streak: 1,
      evaluator_id: 'judge',
      evaluation_contract: 'v1',
      ...parameters,
    },
  };
}

/** Makes a context of the same evaluation contract, unless the members differ. */
export function evaluationContext(members: Partial<Context> = {}): Context {
  return {
    task: 't',
    baseline_revision: 'base',
    model_provider: 'p',
    model_revision: 'm',
    environment_revision: 'e',
    evaluation_contract: 'v1',
    dataset_revision: 'd',
    harness_revision: 'h',
    permissions_revision: 'r',
    tools: {},
    ...members,
  };
}

/** Registers both. */
export async function registerEvaluation(
  learning: LearningClient,
  parameters: Partial<Definition['parameters']> = {},
  algorithm?: Definition['algorithm'],
): Promise<void> {
  await learning.registerPolicy('pol', evaluationPolicy(parameters, algorithm));
  await learning.registerContext('ctx', evaluationContext());
}
