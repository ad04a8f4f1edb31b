/** A selection that examines more than one slice of the index continues, and can be aborted. */
import { registerEvaluation } from '@agentkeep/testkit/evaluation';
import { testStore } from '@agentkeep/testkit/test-store';
import { beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../client/agent.js';
import { openKeep } from '../../../keep/open-keep.js';
import { SELECTION_SLICE_ENTRIES } from '../../../contract/limits.js';
import { bootstrapTenant } from '../../../operator.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const bound = { policy_id: 'pol', context_id: 'ctx' };
const BUDGET_BYTES = 40;

let agent: Agent;

/** Proposes a procedure with instructions of this length, and qualifies it. */
async function activate(id: string, bytes: number, utility: number): Promise<void> {
  const instructions = 'x'.repeat(bytes);
  await agent.learning.propose(scope, { id, ...bound, instructions, source_refs: ['s'] });
  for (const case_id of ['1', '2']) {
    await agent.learning.evaluate(scope, id, {
      case_id,
      phase: 'Qualification',
      ...bound,
      baseline_revision: 'base',
      evidence_ref: case_id,
      status: 'complete',
      baseline_utility: 0,
      candidate_utility: utility,
      candidate_cost_units: 0,
      candidate_latency_ms: 0,
    });
  }
}

beforeEach(async () => {
  const keep = await openKeep({ store: testStore() });
  const tenant = await bootstrapTenant(keep, { tenantId: 't', subjectId: 'ops' });
  const issued = await (
    await keep.authenticate(tenant.secret)
  ).credentials.issue({
    subject_id: 'judge',
    capabilities: ['policy_admin', 'procedure_propose', 'procedure_evaluate', 'memory_read'],
    grants: [scope],
  });
  agent = await keep.authenticate(issued.secret);
  await registerEvaluation(agent.learning);
  return () => keep.close();
});

test('continues after a slice in which nothing fits, and can be aborted', async () => {
  for (let at = 0; at <= SELECTION_SLICE_ENTRIES; at += 1) {
    await activate(`long ${String(at)}`, BUDGET_BYTES + 1, 1);
  }
  const wanted = { policyId: 'pol', contextId: 'ctx', maxInstructionBytes: BUDGET_BYTES };
  expect(await agent.learning.select(scope, wanted)).toMatchObject({ type: 'baseline' });
  await activate('short', BUDGET_BYTES, 0.9);
  expect(await agent.learning.select(scope, wanted)).toMatchObject({
    procedure: { record: { proposal: { id: 'short' } } },
  });
  const reason = new Error('no longer wanted');
  const ended = agent.learning.select(scope, { ...wanted, signal: AbortSignal.abort(reason) });
  await expect(ended).rejects.toBe(reason);
});
