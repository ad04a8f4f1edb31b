/**
 * Evaluates one procedure per worker, and checks that receipts and counters agree.
 */
import assert from 'node:assert/strict';
import { type AdmissionReceipt, type Agent, AgentkeepError } from '@agentkeep/core';
import { registerEvaluation } from '@agentkeep/testkit/evaluation';
import { type Parties, workScopes } from './parties.js';
import type { Check, Task, Work } from './work.js';

interface Step {
  readonly procedureId: string;
  readonly caseId: string;
}

const [, scope] = workScopes;
const REPLAYED = 20;
const IMPROVEMENT = 0.5;

/** Trials that no procedure reaches, so that all stay candidates. */
const ENDLESS = { qualification_trials: 1_000_000, confidence_delta: 0.1 };

/** Registers the learning policy and context of all procedures. */
export function registerPolicy({ learning }: Agent): Promise<void> {
  return registerEvaluation(learning, ENDLESS);
}

/** Proposes the procedure of a worker. */
export async function propose({ learning }: Agent, id: string): Promise<void> {
  const basis = { policy_id: 'pol', context_id: 'ctx', source_refs: ['source'] };
  await learning.propose(scope, { id, instructions: 'Do it.', ...basis });
}

/** Evaluates one procedure, case by case. */
export class LearningWork implements Work<Step, AdmissionReceipt> {
  readonly #procedureId: string;
  #steps = 0;

  constructor(procedureId: string) {
    this.#procedureId = procedureId;
  }

  /** Chooses the next step. */
  next(): Step {
    return { procedureId: this.#procedureId, caseId: `case ${this.#steps}` };
  }

  /** Sends a step. */
  send({ judge }: Parties, step: Step): Promise<AdmissionReceipt> {
    return evaluate(judge, step);
  }

  /** Moves on to the next step. */
  note(_deed: Task<Step, AdmissionReceipt>): void {
    this.#steps += 1;
  }
}

/**
 * Checks that the counters of every procedure match its receipts, and that receipts do not change.
 */
export const checkLearning: Check<Step, AdmissionReceipt> = async ({ judge }, accounts) => {
  for (const { done, next } of accounts) {
    const procedureId = (next ?? done[0]?.step)?.procedureId;
    if (procedureId === undefined) continue;
    const isAhead = next !== undefined && (await isAdmitted(judge, next));
    await checkCounters(judge, procedureId, done.length + (isAhead ? 1 : 0));
    for (const { step, result } of done.slice(-REPLAYED)) {
      assert.deepEqual(await evaluate(judge, step), result, 'A replay returned another receipt.');
    }
    if (next === undefined) continue;
    assert.deepEqual(await evaluate(judge, next), await evaluate(judge, next));
    await checkCounters(judge, procedureId, done.length + 1);
  }
};

function evaluate({ learning }: Agent, { procedureId, caseId }: Step): Promise<AdmissionReceipt> {
  return learning.evaluate(scope, procedureId, {
    case_id: caseId,
    phase: 'Qualification',
    policy_id: 'pol',
    context_id: 'ctx',
    baseline_revision: 'base',
    evidence_ref: `evidence of ${caseId}`,
    status: 'complete',
    baseline_utility: 0,
    candidate_utility: IMPROVEMENT,
    candidate_cost_units: 1,
    candidate_latency_ms: 1,
  });
}

async function isAdmitted({ learning }: Agent, { procedureId, caseId }: Step): Promise<boolean> {
  try {
    await learning.admission(scope, procedureId, caseId);
    return true;
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'record_not_found') return false;
    throw error;
  }
}

async function checkCounters({ learning }: Agent, id: string, accepted: number): Promise<void> {
  const { record } = await learning.procedure(scope, id);
  assert.equal(
    record.qualification_count,
    accepted,
    `The counters of ${id} do not match its receipts.`,
  );
  assert.equal(record.mean_improvement, accepted === 0 ? 0 : IMPROVEMENT);
}
