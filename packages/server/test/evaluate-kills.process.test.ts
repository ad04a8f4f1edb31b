/** `evaluate()` on a server that is killed in the midst of it, over its LMDB directory. */
import { connect } from '@agentkeep/client';
import { evaluate, openKeep, type RunContext } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { evaluationContext, evaluationPolicy } from '@agentkeep/testkit/evaluation';
import { randomFrom } from '@agentkeep/testkit/random';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const CONCURRENCY = 3;
const KILLS = 6;

/** Forty cases without a difference, so that every one of them counts before the decision. */
const cases = Array.from({ length: 40 }, (_, at) => ({ id: `case ${at}` }));

let home: string;
let secret: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-evaluate-'));
  await using keep = await openKeep({ dataDir: join(home, 'data') });
  const ops = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const administrator = await keep.authenticate(ops.secret);
  const issued = await administrator.credentials.issue({
    subject_id: 'judge',
    capabilities: [
      ...(['policy_admin', 'procedure_propose', 'procedure_evaluate', 'memory_read'] as const),
      ...(['experience_read', 'experience_write', 'experience_report'] as const),
    ],
    grants: [scope],
  });
  ({ secret } = issued);
  const { learning } = await keep.authenticate(secret);
  const limits = { qualification_trials: cases.length, confidence_delta: 0.1 };
  await learning.registerPolicy('pol', evaluationPolicy(limits, 'betting_e_process_v1'));
  await learning.registerContext('ctx', evaluationContext());
  const bound = { policy_id: 'pol', context_id: 'ctx', source_refs: ['source'] };
  await learning.propose(scope, { id: 'same', instructions: 'Look twice.', ...bound });
});

afterEach(async () => {
  await server?.kill();
  await rm(home, { recursive: true, force: true });
});

/** Evaluates until a run kills the server, or to the end. */
async function evaluateUntil(killedAtRun: number, runs: string[]) {
  server = new ServerProcess(join(home, 'data'));
  const agent = connect({ url: await server.listens(), secret, retry: false });
  let count = 0;
  const run = async ({ id }: { readonly id: string }, { variant }: RunContext) => {
    runs.push(`${variant} ${id}`);
    count += 1;
    if (count === killedAtRun) await server?.kill();
    return { utility: 0.5, costUnits: 1, latencyMs: 1 };
  };
  const options = { concurrency: CONCURRENCY };
  return evaluate(agent, { scope, id: 'same' }, cases, run, options);
}

test('no case counts twice, none is lost, and few runs are repeated', async () => {
  const random = randomFrom(inject('seed'));
  const runs: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await expect(evaluateUntil(1 + random(12), runs)).rejects.toMatchObject({
      code: 'server_unreachable',
    });
    await server?.kill();
  }
  const { record, submitted, known } = await evaluateUntil(Infinity, runs);
  expect(record).toMatchObject({ state: 'Rejected', qualification_count: cases.length });
  expect(submitted + known).toBe(cases.length);
  expect(new Set(runs).size).toBe(2 * cases.length);
  // A kill may cost the runs that were under way, or whose results were on their way.
  expect(runs.length).toBeLessThanOrEqual(2 * (cases.length + KILLS * CONCURRENCY));
});
