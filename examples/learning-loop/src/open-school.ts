/** The parties of the example, each with the capabilities that it needs. */
import type {
  Agent,
  Capability,
  EvaluationContext,
  Keep,
  PolicyDefinition,
  ScopeInput,
} from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';

/** The shared scope of the procedures. */
export const scope: ScopeInput = {
  project_id: 'billing',
  agent_id: 'reader',
  visibility: 'shared',
};

/** Qualifies a candidate on up to 32 invoices at an error probability of one in ten. */
export const policy: PolicyDefinition = {
  algorithm: 'betting_e_process_v1',
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

/** Returns the circumstances in which procedures are evaluated and used. */
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

/** The agents of the example. */
export interface School {
  /** Registers learning policies and contexts. */
  readonly registrar: Agent;
  /** Proposes procedures. */
  readonly author: Agent;
  /** Evaluates procedures, and records each run. */
  readonly judge: Agent;
  /** Uses the selected procedure. */
  readonly worker: Agent;
}

/** What evaluate() needs. */
const evaluating: readonly Capability[] = [
  'memory_read',
  'procedure_evaluate',
  'experience_read',
  'experience_write',
  'experience_report',
];

/** Returns the agent of each party. */
export async function openSchool(keep: Keep): Promise<School> {
  const appoint = (subjectId: string, ...capabilities: Capability[]): Promise<Agent> => {
    return agentFor(keep, { tenantId: 'example', subjectId, scopes: [scope], capabilities });
  };
  return {
    registrar: await appoint('registrar', 'policy_admin'),
    author: await appoint('author', 'procedure_propose'),
    judge: await appoint('judge', ...evaluating),
    worker: await appoint('worker', 'memory_read'),
  };
}
