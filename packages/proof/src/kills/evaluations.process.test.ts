/**
 * A server that is killed again and again while evaluations arrive: its counters are always those
 * of the receipts, no acknowledged one is lost, and none counts twice.
 *
 * @module
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
import { registerPolicy } from '../workload/learning-work.js';

const KILLS = 5;
const CLIENTS = 12;
const LOAD_MS_MIN = 150;
const LOAD_MS_SPAN = 300;
const PROCEDURES = 4;
const TIMEOUT_MS = 120_000;

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

/** One evaluation, which is sent until it is answered. */
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

/** Issues the evaluator, and proposes what it will evaluate. */
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

/** Sends trials one after the other until the server is gone. */
async function load(
  agent: Agent,
  next: () => Trial,
  told: { sent: Trial[]; receipts: Map<string, AdmissionReceipt> },
): Promise<void> {
  for (;;) {
    const trial = next();
    told.sent.push(trial);
    try {
      told.receipts.set(trial.caseId, await send(agent, trial));
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return;
      throw error;
    }
  }
}

/** The receipts that the server has of these trials. */
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

/** Every procedure counts what the receipts say, and nothing else. */
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

test(
  `counters equal receipts over ${KILLS} kills under ${CLIENTS} clients`,
  { timeout: TIMEOUT_MS },
  async () => {
    const random = randomFrom(inject('seed'));
    const dataDir = join(home, 'data');
    const adminSecret = bootstrapTenant(dataDir, 'acme');
    server = new ServerProcess(dataDir);
    const secret = await prepare(await server.listens(), adminSecret);
    await server.stop();
    const told = { sent: [] as Trial[], receipts: new Map<string, AdmissionReceipt>() };
    const next = (): Trial => ({
      procedureId: `c${String(random(PROCEDURES))}`,
      caseId: `case ${String(told.sent.length)}`,
    });
    for (let kill = 0; kill < KILLS; kill += 1) {
      server = new ServerProcess(dataDir);
      const agent = connect({ url: await server.listens(), secret });
      const clients = Promise.all(Array.from({ length: CLIENTS }, () => load(agent, next, told)));
      // The moment of the kill is what is tried.
      await Promise.race([clients, pass(LOAD_MS_MIN + random(LOAD_MS_SPAN))]);
      expect(await server.kill()).toBe('SIGKILL');
      await clients;
    }
    server = new ServerProcess(dataDir);
    const agent = connect({ url: await server.listens(), secret });
    const stored = await receiptsOf(agent, told.sent);
    for (const [caseId, receipt] of told.receipts) expect(stored.get(caseId)).toEqual(receipt);
    await checkCounters(agent, stored);

    const unanswered = told.sent.filter(({ caseId }) => !told.receipts.has(caseId));
    for (const trial of [...unanswered, ...told.sent.slice(0, 50)]) await send(agent, trial);
    const complete = await receiptsOf(agent, told.sent);
    expect(complete.size).toBe(told.sent.length);
    await checkCounters(agent, complete);
    expect(await server.stop()).toBe(0);
    console.info(
      `${String(told.receipts.size)} acknowledged evaluations; of ${String(unanswered.length)} ` +
        `without an answer ${String(stored.size - told.receipts.size)} were stored.`,
    );
  },
);
