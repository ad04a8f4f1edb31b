/**
 * Benchmarks selection among many active procedures. A few index entries decide, unless a budget
 * divides procedures of about the same length; then it skips entries but reads no procedure.
 */
import type { Agent, Keep } from '@agentkeep/core';
import { registerEvaluation } from '@agentkeep/testkit/evaluation';
import { keepWithAgent, scope, temporaryDirectory } from './fixture.js';
import { inFlight, median, type Reading } from './measure.js';

/** The number of active procedures, and of repetitions per question. */
export interface SelectionLoad {
  readonly procedures: number;
  readonly repeats: number;
}

const FULL: SelectionLoad = { procedures: 100_000, repeats: 50 };
const IN_FLIGHT = 256;
const TRIALS = 2;
/** Length in bytes of the instructions of all procedures but one. */
export const LONG_BYTES = 600;
const SHORT = 'Be brief.';

/** One reading per kind of selection. */
export async function* selectionBenchmarks(
  load: SelectionLoad = FULL,
): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  const { keep, admin } = await keepWithAgent({ dataDir: directory.path, durability: 'relaxed' });
  const agent = await judgeOf(keep, admin);
  const startedMs = performance.now();
  await activateAll(agent, load.procedures);
  const made = load.procedures * (1 + TRIALS);
  yield {
    name: 'procedures, made active',
    figures: { writes_per_second: (made * 1_000) / (performance.now() - startedMs) },
  };
  const budgets: Record<string, number> = {
    'the best': 65_536,
    'the last': SHORT.length,
    'none fits': SHORT.length - 1,
    'the last of its size': LONG_BYTES - 1,
  };
  for (const [kind, bytes] of Object.entries(budgets)) {
    yield { name: `selection, ${kind}`, figures: await timesOf(agent, bytes, load) };
  }
  await keep.close();
}

/** Returns an agent that judges procedures, with their policy and context. */
export async function judgeOf(keep: Keep, admin: Agent): Promise<Agent> {
  const { secret } = await admin.credentials.issue({
    subject_id: 'judge',
    capabilities: ['policy_admin', 'procedure_propose', 'procedure_evaluate', 'memory_read'],
    grants: [scope],
  });
  const agent = await keep.authenticate(secret);
  await registerEvaluation(agent.learning, { qualification_trials: TRIALS });
  return agent;
}

/** Makes so many procedures active; the last one is the worst, and the only short one. */
export async function activateAll(agent: Agent, count: number): Promise<void> {
  await inFlight(IN_FLIGHT, count, (index) => activate(agent, index, count));
}

/** Proposes a procedure and makes it qualify; later ones have lower bounds. */
async function activate({ learning }: Agent, index: number, count: number): Promise<void> {
  const id = `procedure ${String(index).padStart(7, '0')}`;
  const bound = { policy_id: 'pol', context_id: 'ctx' };
  const instructions = index === count - 1 ? SHORT : `${String(index)} `.padEnd(LONG_BYTES, 'x');
  await learning.propose(scope, { id, ...bound, instructions, source_refs: ['bench'] });
  for (let trial = 0; trial < TRIALS; trial++) {
    await learning.evaluate(scope, id, {
      case_id: String(trial),
      phase: 'Qualification',
      ...bound,
      baseline_revision: 'base',
      evidence_ref: String(trial),
      status: 'complete',
      baseline_utility: 0,
      candidate_utility: 1 - (index / count) * 0.1,
      candidate_cost_units: 1,
      candidate_latency_ms: 1,
    });
  }
}

async function timesOf(
  { learning }: Agent,
  maxInstructionBytes: number,
  { repeats, procedures }: SelectionLoad,
): Promise<Reading['figures']> {
  const tookMs: number[] = [];
  let found = 0;
  for (let index = 0; index < repeats; index++) {
    const startedMs = performance.now();
    const wanted = { policyId: 'pol', contextId: 'ctx', maxInstructionBytes };
    const selection = await learning.select(scope, wanted);
    tookMs.push(performance.now() - startedMs);
    found = selection.type === 'procedure' ? 1 : 0;
  }
  return {
    median_ms: median(tookMs),
    longest_ms: Math.max(...tookMs),
    found,
    of_procedures: procedures,
  };
}
