/** What the help desk of the company learned: two procedures, attempts, and a tool. */
import type { Agent, Keep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { COMPANY } from './fill-company.js';
import { scopes } from './memories.js';

const scope = scopes.desk;
const SHA = 'ab'.repeat(32);
const IMAGE = `sha256:${SHA}`;
const CONTRACT = 'answers-v1';

/** Lets a trainer propose, judge, try and build. `passTime` is called between what happens. */
export async function fillLearning(
  keep: Keep,
  passTime: () => void = () => undefined,
): Promise<void> {
  const trainer = await agentFor(keep, {
    ...{ tenantId: COMPANY, subjectId: 'trainer', scopes: [scope] },
    capabilities: [
      ...(['memory_read', 'policy_admin', 'procedure_propose', 'procedure_evaluate'] as const),
      ...(['experience_read', 'experience_write', 'experience_report'] as const),
      ...(['tool_read', 'tool_admin', 'tool_develop', 'tool_report'] as const),
    ],
  });
  const contextDigest = await registerBasis(trainer);
  await judge(trainer, passTime);
  await attempt(trainer, contextDigest, passTime);
  await build(trainer, passTime);
}

async function registerBasis({ learning }: Agent): Promise<string> {
  const parameters = {
    ...{ qualification_trials: 40, confidence_delta: 0.1, min_improvement: 0 },
    ...{ min_candidate_utility: 0.5, max_cost_units: 20, max_latency_ms: 4_000 },
    ...{ max_failure_streak: 3, evaluator_id: 'trainer', evaluation_contract: CONTRACT },
  };
  await learning.registerPolicy('answers', { algorithm: 'betting_e_process_v1', parameters });
  const context = await learning.registerContext('desk-mail', {
    ...{ task: 'Answer a customer by mail', baseline_revision: 'base-1' },
    ...{ model_provider: 'local', model_revision: 'm1', environment_revision: 'e1' },
    ...{ evaluation_contract: CONTRACT, dataset_revision: 'mails-2026-03' },
    ...{ harness_revision: 'h1', permissions_revision: 'p1', tools: {} },
  });
  return context.payload_digest;
}

async function judge({ learning }: Agent, passTime: () => void): Promise<void> {
  const proposed = { policy_id: 'answers', context_id: 'desk-mail' };
  const source_refs = ['mails of March'];
  const instructions = 'Ask for the model and the frame number before anything else.';
  await learning.propose(scope, { id: 'ask-first', ...proposed, instructions, source_refs });
  const other = 'Begin each answer with an apology.';
  const apology = { id: 'apologise', ...proposed, instructions: other, source_refs };
  await learning.propose(scope, apology);
  for (let at = 1; at <= 24; at += 1) {
    passTime();
    await submit('ask-first', at, at % 6 === 0 ? 0.3 : 0.9);
    if (at % 4 === 0) await submit('apologise', at, 0.4);
  }

  async function submit(id: string, at: number, utility: number): Promise<void> {
    const { record } = await learning.procedure(scope, id);
    await learning.evaluate(scope, id, {
      case_id: `mail-${String(at).padStart(2, '0')}`,
      phase: record.state === 'Active' ? 'Monitoring' : 'Qualification',
      ...proposed,
      baseline_revision: 'base-1',
      evidence_ref: `run of mail ${String(at)} with ${id}`,
      status: 'complete',
      baseline_utility: 0.5,
      candidate_utility: utility,
      candidate_cost_units: 8 + (at % 5),
      candidate_latency_ms: 1_200 + at * 40,
    });
  }
}

async function attempt(
  { experiences }: Agent,
  contextDigest: string,
  passTime: () => void,
): Promise<void> {
  const outcomes = ['succeeded', 'failed', undefined] as const;
  for (const [at, outcome] of outcomes.entries()) {
    passTime();
    const id = `answer-${String(at + 1)}`;
    await experiences.register(scope, {
      ...{ id, context_id: 'desk-mail', reporter_subject_id: 'trainer' },
      ...{ accounting_unit: 'credit-v1', input: { reference: `mail:${id}`, sha256: SHA } },
    });
    if (outcome === undefined) continue;
    await experiences.observe(scope, id, {
      ...{ event_id: 'outcome', expected_revision: 1, context_digest: contextDigest, outcome },
      ...{ evidence: { reference: `log:${id}`, sha256: SHA }, cost_units: 9, latency_ms: 1_300 },
    });
  }
}

async function build({ tools }: Agent, passTime: () => void): Promise<void> {
  const { profile_digest: digest } = await tools.registerExecutor({
    ...{ id: 'builder', subject_id: 'trainer', runtime_image_digest: IMAGE },
    ...{ environment_revision: 'e1', permissions_revision: 'p1' },
    ...{ max_cost_units: 100, max_latency_ms: 60_000 },
  });
  for (const [id, objective] of [
    ['frame-number', 'Check a frame number.'],
    ['invoice', 'Find the invoice of a bike.'],
  ] as const) {
    passTime();
    await tools.requestDevelopment(scope, { id, executor_id: 'builder', objective });
  }
  const artifact = {
    ...{ id: 'check-frame-number', source: 'export const run = (text) => text.length === 10;\n' },
    ...{ dependency_lock: '', runtime_image_digest: IMAGE, entrypoint: 'run' },
    ...{ input_schema: { type: 'string' }, output_schema: { type: 'boolean' } },
    source_refs: ['development:frame-number'],
  };
  const report = {
    ...{ executor_profile_digest: digest, evidence_ref: 'log:1' },
    outcome: 'succeeded',
    ...{ cost_units: 12, latency_ms: 900, artifact },
  } as const;
  const target = { requestId: 'frame-number', eventId: 'report', expectedRevision: 1 };
  await tools.report(scope, target, report);
}
