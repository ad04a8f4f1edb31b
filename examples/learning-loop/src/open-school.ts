/** The parties of the example: each has the one capability that its part needs. */
import type {
  Agent,
  Capability,
  EvaluationContext,
  Keep,
  PolicyDefinition,
  ScopeInput,
} from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';

/** The scope of the procedures, which all parties share. */
export const scope: ScopeInput = {
  project_id: 'billing',
  agent_id: 'reader',
  visibility: 'shared',
};

/** When a candidate counts as better: 32 invoices, with a chance of one in ten to be wrong. */
export const policy: PolicyDefinition = {
  algorithm: 'fixed_budget_hoeffding_v1',
  parameters: {
    qualification_trials: 32,
    confidence_delta: 0.1,
    min_improvement: 0.1,
    min_candidate_utility: 0.9,
    max_cost_units: 2,
    max_latency_ms: 1_000,
    max_failure_streak: 3,
    evaluator_id: 'judge',
    evaluation_contract: 'exact-total-v1',
  },
};

/** The circumstances that procedures are evaluated and used in. */
export function contextOf(datasetRevision: string): EvaluationContext {
  return {
    task: 'Read the total of an invoice.',
    baseline_revision: 'first amount',
    model_provider: 'none',
    model_revision: 'rules-1',
    environment_revision: 'example-1',
    evaluation_contract: 'exact-total-v1',
    dataset_revision: datasetRevision,
    harness_revision: 'example-1',
    permissions_revision: 'none',
    tools: {},
  };
}

/** The parties. */
export interface School {
  /** Registers policies and contexts. */
  readonly registrar: Agent;
  /** Proposes procedures. */
  readonly author: Agent;
  /** Evaluates them. */
  readonly judge: Agent;
  /** Uses what is selected. */
  readonly worker: Agent;
}

/** Returns the agent of each party. */
export async function openSchool(keep: Keep): Promise<School> {
  const appoint = (subjectId: string, capability: Capability): Promise<Agent> => {
    const capabilities = [capability];
    return agentFor(keep, { tenantId: 'example', subjectId, scopes: [scope], capabilities });
  };
  return {
    registrar: await appoint('registrar', 'policy_admin'),
    author: await appoint('author', 'procedure_propose'),
    judge: await appoint('judge', 'procedure_evaluate'),
    worker: await appoint('worker', 'memory_read'),
  };
}
