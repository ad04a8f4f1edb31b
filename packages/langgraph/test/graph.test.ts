/** A graph of LangGraph that runs on the checkpointer and the store. */
import { testStore } from '@agentkeep/testkit/test-store';
import { Command, isInterrupted } from '@langchain/langgraph';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalGraph } from './approval-graph.js';
import { Ground, ways } from './ways.js';

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open(testStore());
});

afterAll(() => ground[Symbol.asyncDispose]());

test.each(ways)('it waits for an answer, and goes on with another agent: %s', async (way) => {
  const scope = ground.newScope();
  const config = { configurable: { thread_id: 't' } };
  const first = approvalGraph(await ground.agent(way, scope), scope);
  const asked = await first.graph.invoke({ steps: [] }, config);
  expect(asked.steps).toEqual(['left', 'right']);
  expect(isInterrupted(asked)).toBe(true);

  const { graph, store, checkpointer } = approvalGraph(await ground.agent(way, scope), scope);
  expect((await graph.getState(config)).next).toEqual(['ask']);
  const done = await graph.invoke(new Command({ resume: 'yes' }), config);
  expect(done.steps).toEqual(['left', 'right', 'answer yes', 'noted']);
  const note = await store.get(['notes', 'graph'], 'steps');
  expect(note?.value).toEqual({ steps: ['left', 'right', 'answer yes'] });

  const history = [];
  for await (const { values } of graph.getStateHistory(config)) history.push(values as unknown);
  expect(history.at(0)).toEqual(done);
  expect(history).toHaveLength(5);
  await checkpointer.deleteThread('t');
  expect((await graph.getState(config)).values).toEqual({});
});

test.each(ways)(
  'time travel: a fork from an old state leaves the others as they are: %s',
  async (way) => {
    const scope = ground.newScope();
    const { graph } = approvalGraph(await ground.agent(way, scope), scope);
    const config = { configurable: { thread_id: 't' } };
    await graph.invoke({ steps: [] }, config);
    const before = await graph.getState(config);
    await graph.invoke(new Command({ resume: 'yes' }), config);
    const fork = await graph.updateState(before.config, { steps: ['changed'] }, 'right');
    const forked = await graph.invoke(new Command({ resume: 'no' }), fork);
    expect(forked.steps).toEqual(['left', 'right', 'changed', 'answer no', 'noted']);
    expect((await graph.getState(before.config)).values).toEqual({ steps: ['left', 'right'] });
  },
);
