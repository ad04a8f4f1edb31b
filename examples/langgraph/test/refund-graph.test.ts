/** Small refunds are granted at once, others wait for a person, also across keeps. */
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { sharedMemory } from '@agentkeep/core/testing';
import { Command, isInterrupted } from '@langchain/langgraph';
import { expect, test } from 'vitest';
import { refundGraph } from '../src/refund-graph.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'refunds', visibility: 'shared' };
const memory = sharedMemory();

async function open() {
  const keep = await openKeep({ store: memory.open() });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'refunds', scopes: [scope] });
  return { keep, ...refundGraph(agent, scope) };
}

test('a large refund waits for a person, and is decided with another keep', async () => {
  const thread = { configurable: { thread_id: 'ticket-1' } };
  const first = await open();
  const asked = await first.graph.invoke({ customer: 'ann', amount: 90 }, thread);
  expect(isInterrupted(asked) && asked.__interrupt__[0]?.value).toBe('Refund 90 to ann?');
  expect(await first.store.search(['customers'])).toEqual([]);
  await first.keep.close();

  const second = await open();
  const decided = await second.graph.invoke(new Command({ resume: false }), thread);
  expect(decided.isGranted).toBe(false);
  const noted = await second.store.get(['customers', 'ann'], 'last refund');
  expect(noted?.value).toEqual({ amount: 90, isGranted: false });
  await second.keep.close();
});

test('a small refund is granted at once', async () => {
  const { keep, graph } = await open();
  const thread = { configurable: { thread_id: 'ticket-2' } };
  expect(await graph.invoke({ customer: 'bob', amount: 5 }, thread)).toMatchObject({
    isGranted: true,
  });
  await keep.close();
});
