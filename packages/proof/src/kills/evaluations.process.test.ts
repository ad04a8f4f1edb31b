/**
 * A server that is killed repeatedly while evaluations arrive: its counters always match the
 * receipts, no acknowledged evaluation is lost, and none counts twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { AdmissionReceipt, Agent } from '@agentkeep/core';
import { beforeEach, expect, inject, test } from 'vitest';
import { connect } from '@agentkeep/server/client';
import { randomFrom } from '@agentkeep/testkit/random';
import { bootstrapTenant, ServerProcess } from '@agentkeep/testkit/server-process';
import { isBroken } from '../process/broken-connection.js';
import { registerPolicy } from '../workload/learning-work.js';

const KILLS = 3;
const CLIENTS = 12;
const LOAD_MS_MIN = 150;
const LOAD_MS_SPAN = 300;
const PROCEDURES = 4;

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

let home: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-learning-'));
  return async () => {
    await server?.kill();
    await rm(home, { recursive: true, force: true });
  };
});

/** An evaluation, which is repeated until it is answered. */
interface Trial {
  readonly procedureId: string;
  readonly caseId: string;
}

function send({ learning }: Agent, { procedureId, caseId }: Trial): Promise<AdmissionReceipt> {
  return learning.evaluate(scope, procedureId, {
    case_id: caseId,
    phase: 'Qualification',
    policy_id: 'pol',
    context_id: 'ctx',
    baseline_revision: 'base',
    evidence_ref: `evidence of ${caseId}`,
    status: caseId.endsWith('3') ? 'incomplete' : 'complete',
    baseline_utility: 0,
    candidate_utility: 0.5,
    candidate_cost_units: 1,
    candidate_latency_ms: 1,
  });
}

/** Issues the evaluator's credential and proposes the procedures. */
async function prepare(url: string, adminSecret: string): Promise<string> {
  const { secret } = await connect({ url, secret: adminSecret }).credentials.issue({
    subject_id: 'judge',
    capabilities: ['policy_admin', 'procedure_propose', 'procedure_evaluate', 'memory_read'],
    grants: [scope],
  });
  const agent = connect({ url, secret });
  await registerPolicy(agent);
  for (let at = 0; at < PROCEDURES; at += 1) {
    await agent.learning.propose(scope, {
      id: `c${String(at)}`,
      policy_id: 'pol',
      context_id: 'ctx',
      instructions: 'Do it.',
      source_refs: ['source'],
    });
  }
  return secret;
}

/** Sends trials in sequence until the server ends. */
async function load(
  agent: Agent,
  next: () => Trial,
  log: { sent: Trial[]; receipts: Map<string, AdmissionReceipt> },
): Promise<void> {
  for (;;) {
    const trial = next();
    log.sent.push(trial);
    try {
      log.receipts.set(trial.caseId, await send(agent, trial));
    } catch (error) {
      if (isBroken(error)) return;
      throw error;
    }
  }
}

/** Returns the stored receipts of trials. */
async function receiptsOf({ learning }: Agent, sent: readonly Trial[]) {
  const found = new Map<string, AdmissionReceipt>();
  const queue = sent[Symbol.iterator]();
  const reader = async (): Promise<void> => {
    for (const { procedureId, caseId } of queue) {
      const receipt = await learning
        .admission(scope, procedureId, caseId)
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'record_not_found' });
          return undefined;
        });
      if (receipt !== undefined) found.set(caseId, receipt);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, reader));
  return found;
}

/** Checks that the counters of every procedure match the receipts. */
async function checkCounters(
  { learning }: Agent,
  receipts: ReadonlyMap<string, AdmissionReceipt>,
): Promise<void> {
  for (let at = 0; at < PROCEDURES; at += 1) {
    const id = `c${String(at)}`;
    const own = [...receipts.values()].filter(({ procedure_id }) => procedure_id === id);
    const accepted = own.filter(({ outcome }) => outcome === 'accepted');
    const { record } = await learning.procedure(scope, id);
    expect(record).toMatchObject({
      qualification_count: accepted.length,
      mean_improvement: accepted.length === 0 ? 0 : 0.5,
      budget_violations: 0,
    });
  }
}

test(`counters equal receipts over ${KILLS} kills under ${CLIENTS} clients`, async () => {
  const random = randomFrom(inject('seed'));
  const dataDir = join(home, 'data');
  const adminSecret = bootstrapTenant(dataDir, 'acme');
  server = new ServerProcess(dataDir);
  const secret = await prepare(await server.listens(), adminSecret);
  await server.stop();
  const log = { sent: [] as Trial[], receipts: new Map<string, AdmissionReceipt>() };
  const next = (): Trial => ({
    procedureId: `c${String(random(PROCEDURES))}`,
    caseId: `case ${String(log.sent.length)}`,
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    server = new ServerProcess(dataDir);
    const agent = connect({ url: await server.listens(), secret, retry: false });
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => load(agent, next, log)));
    // The moment of the kill varies.
    await Promise.race([clients, pass(LOAD_MS_MIN + random(LOAD_MS_SPAN))]);
    expect(await server.kill()).toBe('SIGKILL');
    await clients;
  }
  server = new ServerProcess(dataDir);
  const agent = connect({ url: await server.listens(), secret });
  const stored = await receiptsOf(agent, log.sent);
  for (const [caseId, receipt] of log.receipts) expect(stored.get(caseId)).toEqual(receipt);
  await checkCounters(agent, stored);

  const unanswered = log.sent.filter(({ caseId }) => !log.receipts.has(caseId));
  for (const trial of [...unanswered, ...log.sent.slice(0, 50)]) await send(agent, trial);
  const complete = await receiptsOf(agent, log.sent);
  expect(complete.size).toBe(log.sent.length);
  await checkCounters(agent, complete);
  expect(await server.stop()).toBe(0);
  console.info(
    `${String(log.receipts.size)} acknowledged evaluations; of ${String(unanswered.length)} ` +
      `without an answer ${String(stored.size - log.receipts.size)} were stored.`,
  );
});
