/** Asks for a refund with one keep and agrees with another, as two processes would do it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { Command, isInterrupted } from '@langchain/langgraph';
import { refundGraph } from './refund-graph.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'refunds', visibility: 'shared' };
const thread = { configurable: { thread_id: 'ticket-4711' } };
const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-langgraph-'));

async function open() {
  const keep = await openKeep({ dataDir });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  return { keep, ...refundGraph(agent, scope) };
}

try {
  const first = await open();
  const asked = await first.graph.invoke({ customer: 'ann', amount: 90 }, thread);
  if (isInterrupted<string>(asked)) console.log('waits:', asked.__interrupt__[0]?.value);
  await first.keep.close();

  const second = await open();
  const { isGranted } = await second.graph.invoke(new Command({ resume: true }), thread);
  console.log('granted:', isGranted);
  for (const { namespace, value } of await second.store.search(['customers'])) {
    console.log('remembered:', namespace, value);
  }
  await second.keep.close();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
