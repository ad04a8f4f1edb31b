/** Runs on a server that is killed between and during their changes, over its LMDB directory. */
import { connect } from '@agentkeep/client';
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type AgentInputItem, Runner } from '@openai/agents-core';
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentkeepSession } from '../src/index.js';
import { scope } from './two-ways.js';

const ROUNDS = 3;

let home: string;
let secret: string;
let server: ServerProcess | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-openai-agents-'));
  await using keep = await openKeep({ dataDir: join(home, 'data') });
  const ops = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const administrator = await keep.authenticate(ops.secret);
  const issued = await administrator.credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  secret = issued.secret;
});

afterEach(async () => {
  await server?.kill();
  await rm(home, { recursive: true, force: true });
});

async function startedSession(): Promise<AgentkeepSession> {
  server = new ServerProcess(join(home, 'data'));
  const agent = connect({ url: await server.listens(), secret, retry: false });
  return new AgentkeepSession({ agent, scope, sessionId: 'ann' });
}

const said = (content: string): AgentInputItem => ({ role: 'user', content });

test('nothing acknowledged is lost, and nothing is applied twice', async () => {
  let session = await startedSession();
  let count = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const model = new ScriptedModel([[assistantMessage(`Answer ${round}.`)]]);
    const agent = new Agent({ name: 'Desk', instructions: 'Help.', model });
    const runner = new Runner({ tracingDisabled: true });
    await runner.run(agent, `Question ${round}.`, { session });
    count += 2;
    // The kill comes while transactions are under way; some are acknowledged, others are not.
    const transactions = Array.from({ length: 8 }, (_, at) => ({
      operationId: `${round}-${at}`,
      transaction: { type: 'append_items' as const, items: [said(`${round}-${at}`)] },
    }));
    const results = transactions.map((each) => session.applyHistoryTransaction(each));
    await results[0];
    const [killed, ...settled] = await Promise.all([
      server?.kill(),
      ...results.map((result) => result.then(() => true).catch(() => false)),
    ]);
    expect(killed).toBe('SIGKILL');
    expect(settled[0]).toBe(true);
    session = await startedSession();
    const kept = (await session.getItems()).map((item) => JSON.stringify(item));
    for (const [at, isAcknowledged] of settled.entries()) {
      const text = JSON.stringify(said(`${round}-${at}`));
      if (isAcknowledged) expect(kept).toContain(text);
    }
    for (const each of transactions) await session.applyHistoryTransaction(each);
    count += transactions.length;
    const items = await session.getItems();
    expect(items).toHaveLength(count);
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(count);
  }
});
