/** `evaluate()` runs each case once, goes on where it ended, and stops when it is decided. */
import {
  type Agent,
  type AgentkeepError,
  evaluate,
  openKeep,
  type RunContext,
  type RunResult,
} from '@agentkeep/core';
import { connect } from '@agentkeep/client';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { evaluationContext, evaluationPolicy } from '@agentkeep/testkit/evaluation';
import { eventually } from '@agentkeep/testkit/eventually';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { createServer } from '../src/index.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const procedure = { scope, id: 'better' };

/** Twenty cases of which the baseline solves every other one. */
const cases = Array.from({ length: 20 }, (_, at) => ({ id: `case ${at}`, at }));
type Case = (typeof cases)[number];

const capabilities = [
  ...(['policy_admin', 'procedure_propose', 'procedure_evaluate', 'memory_read'] as const),
  ...(['experience_read', 'experience_write', 'experience_report'] as const),
];

/** Opens a keep with one procedure, for the agent that does everything in it. */
async function opened(kind: 'embedded' | 'remote') {
  const keep = await openKeep({ store: testStore() });
  const { secret: first } = await bootstrapTenant(keep, { tenantId: 't', subjectId: 'ops' });
  const admin = await keep.authenticate(first);
  const spec = { subject_id: 'judge', capabilities: [...capabilities], grants: [scope] };
  const { secret } = await admin.credentials.issue(spec);
  const { request } = createServer(keep);
  const agent: Agent =
    kind === 'embedded'
      ? await keep.authenticate(secret)
      : connect({ url: 'http://localhost', secret, fetch: request });
  const parameters = { qualification_trials: 20, confidence_delta: 0.1 };
  const policy = evaluationPolicy(parameters, 'betting_e_process_v1');
  await agent.learning.registerPolicy('pol', policy);
  await agent.learning.registerContext('ctx', evaluationContext());
  const bound = { policy_id: 'pol', context_id: 'ctx', source_refs: ['source'] };
  await agent.learning.propose(scope, { id: 'better', instructions: 'Look twice.', ...bound });
  return { keep, agent };
}

/** Counts its runs. The candidate solves every case. */
function solver() {
  const runs: string[] = [];
  const run = ({ id, at }: Case, { variant, instructions }: RunContext): RunResult => {
    runs.push(`${variant} ${id} ${instructions ?? 'as before'}`);
    const utility = variant === 'candidate' || at % 2 === 0 ? 1 : 0;
    return { utility, costUnits: 1, latencyMs: 1, evidence: `runs/${at}.txt` };
  };
  return { runs, run };
}

describe.each(['embedded', 'remote'] as const)('evaluate() with an agent that is %s', (kind) => {
  test('runs both variants side by side until the procedure is decided about', async () => {
    const { keep, agent } = await opened(kind);
    const { runs, run } = solver();
    const { record, submitted, known } = await evaluate(agent, procedure, cases, run);
    // The fifth win decides, and every other case is one.
    expect(record).toMatchObject({ state: 'Active', qualification_count: 10 });
    expect([submitted, known]).toEqual([10, 0]);
    expect(runs).toHaveLength(20);
    expect(new Set(runs).size).toBe(20);
    expect(runs).toContain('candidate case 0 Look twice.');
    expect(runs).toContain('baseline case 0 as before');
    await keep.close();
  });

  test('records each run as an attempt that the evaluation names', async () => {
    const { keep, agent } = await opened(kind);
    await evaluate(agent, procedure, cases, solver().run);
    const { submission } = await agent.learning.admission(scope, 'better', 'case 1');
    expect(submission).toMatchObject({ baseline_utility: 0, candidate_utility: 1 });
    const attemptId = submission.evidence_ref.replace('experience:', '');
    const { command } = await agent.experiences.readEvent(scope, attemptId, 'result');
    expect(command).toMatchObject({ outcome: 'succeeded', cost_units: 1, latency_ms: 1 });
    expect(decodeURIComponent(command.evidence.reference)).toBe(
      'data:application/json,{"utility":1,"evidence":"runs/1.txt"}',
    );
    await keep.close();
  });
});

test('goes on after an error without repeating a run that has a result', async () => {
  const { keep, agent } = await opened('embedded');
  const { runs, run } = solver();
  let isBroken = true;
  const breaking = (each: Case, context: RunContext): RunResult => {
    if (isBroken && each.at === 3 && context.variant === 'candidate') throw new Error('killed');
    return run(each, context);
  };
  await expect(evaluate(agent, procedure, cases, breaking)).rejects.toThrow('killed');
  expect((await agent.learning.procedure(scope, 'better')).record.qualification_count).toBe(3);
  isBroken = false;
  const { record, submitted, known } = await evaluate(agent, procedure, cases, breaking);
  expect(record).toMatchObject({ state: 'Active', qualification_count: 10 });
  expect([submitted, known]).toEqual([7, 3]);
  expect(runs).toHaveLength(20);
  expect(new Set(runs).size).toBe(20);
  const after = await evaluate(agent, procedure, cases, breaking);
  expect(after).toMatchObject({ submitted: 0, known: 0 });
  await keep.close();
});

test('reports an error once the run beside it has ended and is recorded', async () => {
  const { keep, agent } = await opened('embedded');
  let endBaseline: (result: RunResult) => void = () => undefined;
  const baseline = new Promise<RunResult>((resolve) => (endBaseline = resolve));
  let killCandidate: (reason: Error) => void = () => undefined;
  const candidate = new Promise<never>((_, reject) => (killCandidate = reject));
  const begun: string[] = [];
  const halves = (_: Case, { variant }: RunContext): Promise<RunResult> => {
    begun.push(variant);
    return { baseline, candidate }[variant];
  };
  let isReported = false;
  const first = evaluate(agent, procedure, cases, halves).finally(() => (isReported = true));
  first.catch(() => undefined);
  await eventually(() => expect(begun).toHaveLength(2));
  killCandidate(new Error('killed'));
  // An error that did not wait for the other run would be reported within these calls.
  for (let calls = 0; calls < 20; calls += 1) await agent.learning.procedure(scope, 'better');
  expect(isReported).toBe(false);
  endBaseline({ utility: 0 });
  await expect(first).rejects.toThrow('killed');
  const { runs, run } = solver();
  await evaluate(agent, procedure, cases.slice(0, 1), run);
  expect(runs).toEqual(['candidate case 0 Look twice.']);
  await keep.close();
});

test('counts each case once where two processes evaluate at the same time', async () => {
  const { keep, agent } = await opened('embedded');
  // The results differ; whichever is recorded first counts for both.
  const luck = () => ({ utility: Math.round(runs++ % 3) / 2, costUnits: 1, latencyMs: 1 });
  let runs = 0;
  const both = [1, 4].map((concurrency) =>
    evaluate(agent, procedure, cases, luck, { concurrency }),
  );
  const [first, second] = await Promise.all(both);
  const { record } = await agent.learning.procedure(scope, 'better');
  expect(record.qualification_count).toBeLessThanOrEqual(20);
  expect(first!.record.qualification_count + second!.record.qualification_count).toBeGreaterThan(0);
  const admitted = await Promise.all(
    cases.map(({ id }) => agent.learning.admission(scope, 'better', id).catch(() => undefined)),
  );
  const accepted = admitted.filter((it) => it?.outcome === 'accepted');
  expect(accepted).toHaveLength(record.qualification_count);
  await keep.close();
});

test('counts in the order of the cases, and tells runs ahead that they are of no use', async () => {
  const { keep, agent } = await opened('embedded');
  const aborted: string[] = [];
  const slow = async ({ id, at }: Case, { variant, signal }: RunContext): Promise<RunResult> => {
    // The later a case, the sooner its run ends, but for those that no case will need.
    if (at >= 5) {
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
      aborted.push(`${variant} ${id}`);
      throw new Error('of no use');
    }
    for (let turn = 5 - at; turn > 0; turn -= 1) await Promise.resolve();
    return { utility: variant === 'candidate' ? 1 : 0, latencyMs: 1 };
  };
  const { record } = await evaluate(agent, procedure, cases, slow, { concurrency: 6 });
  expect(record).toMatchObject({ state: 'Active', qualification_count: 5 });
  expect(record.decisions[0]?.triggering_case).toBe('case 4');
  expect(aborted.length).toBeGreaterThan(0);
  await keep.close();
});

test('refuses a wrong utility, a changed case and a wrong number of cases at a time', async () => {
  const { keep, agent } = await opened('embedded');
  const wrong = () => ({ utility: 1.5 });
  await expect(evaluate(agent, procedure, cases, wrong)).rejects.toThrow('from 0 to 1, not 1.5');
  const { run } = solver();
  const changed = [{ id: 'case 0', at: 7 }];
  await expect(evaluate(agent, procedure, changed, run)).rejects.toThrow(
    expect.objectContaining({ code: 'idempotency_conflict' }) as AgentkeepError,
  );
  const none = evaluate(agent, procedure, cases, run, { concurrency: 0 });
  await expect(none).rejects.toThrow(RangeError);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(evaluate(agent, procedure, cases, run, { signal })).rejects.toThrow('enough');
  await keep.close();
});
