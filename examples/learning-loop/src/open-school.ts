/**
 * The parties of the example: each holds the one capability that its part needs.
 *
 * @module
 */
import {
  type Agent,
  type EvaluationContext,
  type Keep,
  type PolicyDefinition,
} from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';

/** Where the procedures live: one place that all parties share. */
export const scope = { project_id: 'billing', agent_id: 'reader', visibility: 'shared' } as const;

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

/** Who takes part. */
export interface School {
  /** Registers policies and contexts. */
  readonly registrar: Agent;
  /** Proposes procedures. */
  readonly author: Agent;
  /** Evaluates them. */
  readonly judge: Agent;
  /** Uses whatever is selected. */
  readonly worker: Agent;
}

/** Makes a tenant and issues a credential to each party. */
export async function openSchool(keep: Keep): Promise<School> {
  const { secret } = await bootstrapTenant(keep, { tenantId: 'example', subjectId: 'operator' });
  const admin = await keep.authenticate(secret);
  const appoint = async (
    subject_id: string,
    capability: 'policy_admin' | 'procedure_propose' | 'procedure_evaluate' | 'memory_read',
  ): Promise<Agent> => {
    const spec = { subject_id, capabilities: [capability], grants: [scope] };
    return keep.authenticate((await admin.credentials.issue(spec)).secret);
  };
  return {
    registrar: await appoint('registrar', 'policy_admin'),
    author: await appoint('author', 'procedure_propose'),
    judge: await appoint('judge', 'procedure_evaluate'),
    worker: await appoint('worker', 'memory_read'),
  };
}
