/** Tries prompts until one is shown to be better, and survives being stopped in between. */
import {
  evaluate,
  type EvaluationContext,
  type Keep,
  planEvaluation,
  type PolicyDefinition,
  type ScopeInput,
} from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { type Problem, problems } from './problems.js';
import { answerOf } from './scripted-agent.js';

const scope: ScopeInput = { project_id: 'assistants', agent_id: 'clock', visibility: 'shared' };

const BASELINE = 'Answer the question.';

/** The prompts to try, by the ids of their procedures. */
const prompts: Readonly<Record<string, string>> = {
  polite: `${BASELINE} Be polite.`,
  midnight: `${BASELINE} After 23:59 comes 00:00.`,
  minutes: `${BASELINE} Count in minutes. A quarter of an hour has 15 minutes.`,
};

const CASES = 150;

const policy: PolicyDefinition = {
  algorithm: 'betting_e_process_v1',
  parameters: {
    qualification_trials: CASES,
    confidence_delta: 0.05,
    min_improvement: 0,
    min_candidate_utility: 0.5,
    max_cost_units: 1_000,
    max_latency_ms: 60_000,
    max_failure_streak: 3,
    evaluator_id: 'coach',
    evaluation_contract: 'exact-answer-v1',
  },
};

const context: EvaluationContext = {
  task: 'Say when something ends.',
  baseline_revision: BASELINE,
  model_provider: 'none',
  model_revision: 'script-1',
  environment_revision: 'example-1',
  evaluation_contract: 'exact-answer-v1',
  dataset_revision: 'problems-1',
  harness_revision: 'example-1',
  permissions_revision: 'none',
  tools: {},
};

/** Runs the example in a fresh keep, and returns what happened, line by line. */
export async function runExample(keep: Keep): Promise<string[]> {
  const told: string[] = [];
  const coach = await agentFor(keep, {
    ...{ tenantId: 'example', subjectId: 'coach', scopes: [scope] },
    capabilities: [
      ...(['policy_admin', 'procedure_propose', 'procedure_evaluate', 'memory_read'] as const),
      ...(['experience_read', 'experience_write', 'experience_report'] as const),
    ],
  });
  const { learning } = coach;
  await learning.registerPolicy('exact', policy);
  await learning.registerContext('times', context);
  const [, bets] = planEvaluation({ trials: CASES, shared: 0.7, delta: 0.05 });
  told.push(`plan: ${CASES} cases show an improvement of ${bets?.difference ?? 'nothing'}`);

  for (const [id, instructions] of Object.entries(prompts)) {
    const bound = { policy_id: 'exact', context_id: 'times', source_refs: ['idea'] };
    await learning.propose(scope, { id, instructions, ...bound });
    let left = 20;
    const run = (problem: Problem, { instructions: prompt }: { instructions: string | null }) => {
      if (left-- === 0) throw new Error('the process ended');
      const answer = answerOf(prompt ?? BASELINE, problem.text);
      return { utility: answer === problem.answer ? 1 : 0, latencyMs: 1, evidence: answer };
    };
    // Ten cases are run, as if the process ended then. The same call goes on with the eleventh.
    await evaluate(coach, { scope, id }, problems(CASES), run).catch(() => undefined);
    const { record, known } = await evaluate(coach, { scope, id }, problems(CASES), run);
    const { state, qualification_count: trials, mean_improvement: improvement } = record;
    told.push(`${id}: ${state} after ${trials} cases, ${known} of them before the end`);
    told.push(`${id}: mean improvement ${improvement}`);
  }

  const wanted = { policyId: 'exact', contextId: 'times', maxInstructionBytes: 1_000 };
  const selection = await learning.select(scope, wanted);
  told.push(
    selection.type === 'procedure'
      ? `selected: ${selection.procedure.record.proposal.instructions}`
      : 'selected: the baseline',
  );
  return told;
}
