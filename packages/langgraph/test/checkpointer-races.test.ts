/** Several processes that write to one thread at once, each with a keep of its own. */
import type { ScopeInput } from '@agentkeep/client';
import { type Keep, openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { sharedTestStore } from '@agentkeep/testkit/test-store';
import type { PendingWrite } from '@langchain/langgraph-checkpoint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentkeepCheckpointer } from '../src/index.js';
import { checkpointOf, idsOf, metadata } from './checkpoints.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'graph', visibility: 'shared' };
const keeps: Keep[] = [];
let checkpointers: AgentkeepCheckpointer[];

beforeAll(async () => {
  const store = sharedTestStore();
  const open = async () => {
    const keep = await openKeep({ store: store.open() });
    keeps.push(keep);
    const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'graph', scopes: [scope] });
    return new AgentkeepCheckpointer(agent, { scope });
  };
  checkpointers = [await open(), await open()];
});

afterAll(async () => {
  for (const keep of keeps) await keep.close();
});

/** Does something with both at once, some times each. */
function together<T>(times: number, work: (one: AgentkeepCheckpointer, at: number) => Promise<T>) {
  const each = Array.from({ length: 2 * times }, (_, at) => at);
  return Promise.all(each.map((at) => work(checkpointers[at % 2]!, at)));
}

test('writes of two processes to one checkpoint are all kept', async () => {
  const [one, other] = checkpointers;
  const thread = { configurable: { thread_id: 'writes' } };
  const config = await one!.put(thread, checkpointOf('1', {}), metadata, {});
  const tasks = await together(12, async (checkpointer, at) => {
    const writes: PendingWrite[] = [
      ['first', at],
      ['second', 'x'.repeat(at * 1_000)],
    ];
    await checkpointer.putWrites(config, writes, `task-${at}`);
    return `task-${at}`;
  });
  const { pendingWrites = [] } = (await other!.getTuple(config))!;
  const found = pendingWrites.map(([task, channel]) => `${task}/${channel}`);
  const stored = tasks.sort().flatMap((task) => [`${task}/first`, `${task}/second`]);
  expect(found).toEqual(stored);
});

test('of checkpoints that two processes put at once, the one with the greatest id is the latest', async () => {
  const thread = { configurable: { thread_id: 'checkpoints' } };
  await together(10, (checkpointer, at) => {
    const id = String(100 + ((at * 7) % 20));
    return checkpointer.put(thread, checkpointOf(id, { at }), metadata, { at: 1 });
  });
  for (const checkpointer of checkpointers) {
    expect((await checkpointer.getTuple(thread))?.checkpoint.id).toBe('119');
    expect(await idsOf(checkpointer.list(thread))).toHaveLength(20);
  }
});

test('a thread that two processes delete at once is gone', async () => {
  const thread = { configurable: { thread_id: 'deleted' } };
  const [one, other] = checkpointers;
  const config = await one!.put(thread, checkpointOf('1', { a: 1 }), metadata, { a: 1 });
  await one!.putWrites(config, [['a', 2]], 'task');
  await together(1, (checkpointer) => checkpointer.deleteThread('deleted'));
  expect(await other!.getTuple(thread)).toBeUndefined();
  expect(await idsOf(other!.list(thread))).toEqual([]);
});
