/** Old checkpoints go, and nothing that the others need. */
import type { Agent, ScopeInput } from '@agentkeep/client';
import { testStore } from '@agentkeep/testkit/test-store';
import type { RunnableConfig } from '@langchain/core/runnables';
import { Annotation, DeltaChannel, END, START, StateGraph } from '@langchain/langgraph';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentkeepCheckpointer } from '../src/index.js';
import { checkpointOf, idsOf, metadata } from './checkpoints.js';
import { beforeBatches } from './interleaved.js';
import { Ground, ways } from './ways.js';

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open(testStore());
});

afterAll(() => ground[Symbol.asyncDispose]());

/** Longer than what stands in the record of a checkpoint. */
const long = (text: string) => text.padEnd(200_000, '.');

describe.each(ways)('%s', (way) => {
  let agent: Agent;
  let scope: ScopeInput;
  let checkpointer: AgentkeepCheckpointer;

  beforeEach(async () => {
    scope = ground.newScope();
    agent = await ground.agent(way, scope);
    checkpointer = new AgentkeepCheckpointer(agent, { scope });
  });

  const at = (thread_id: string, checkpoint_ns = ''): RunnableConfig => ({
    configurable: { thread_id, checkpoint_ns },
  });

  async function records(): Promise<number> {
    return (await agent.memory.in(scope).count()).matches;
  }

  /** Puts checkpoints on top of each other, with a value that changes and one that stays. */
  async function putMany(config: RunnableConfig, count: number): Promise<RunnableConfig[]> {
    const configs: RunnableConfig[] = [];
    for (let step = 1; step <= count; step += 1) {
      const id = String(1_000 + step);
      const made = checkpointOf(id, { same: long('same'), step: long(`step ${step}`) });
      made.channel_versions['step'] = step;
      const versions = step === 1 ? { same: 1, step: 1 } : { step };
      const last = await checkpointer.put(configs.at(-1) ?? config, made, metadata, versions);
      await checkpointer.putWrites(last, [['step', long('write')]], 'task');
      configs.push(last);
    }
    return configs;
  }

  test('the latest checkpoints of each namespace stay, whole', async () => {
    await putMany(at('t'), 4);
    await putMany(at('t', 'below'), 3);
    await putMany(at('other'), 2);
    expect(await checkpointer.prune(['t', 'absent'], { keep: 2 })).toBe(3);
    expect(await idsOf(checkpointer.list(at('t')))).toEqual(['1004', '1003']);
    expect(await idsOf(checkpointer.list(at('t', 'below')))).toEqual(['1003', '1002']);
    expect(await idsOf(checkpointer.list(at('other')))).toHaveLength(2);
    const { checkpoint, pendingWrites } = (await checkpointer.getTuple(at('t')))!;
    expect(checkpoint.channel_values).toEqual({ same: long('same'), step: long('step 4') });
    expect(pendingWrites).toEqual([['task', 'step', long('write')]]);
    expect(await checkpointer.prune(['t'], { keep: 2 })).toBe(0);
  });

  test('writes and long values go with the last checkpoint that has them', async () => {
    await putMany(at('t'), 1);
    const one = await records();
    await putMany(at('pruned'), 6);
    expect(await checkpointer.prune(['pruned'])).toBe(5);
    expect(await records()).toBe(2 * one);
    await checkpointer.deleteThread('pruned');
    expect(await records()).toBe(one);
  });

  test('more checkpoints go than one commit deletes', async () => {
    let config = at('t');
    for (let step = 0; step < 300; step += 1) {
      const made = checkpointOf(String(1_000 + step), { step });
      config = await checkpointer.put(config, made, metadata, { step: 1 });
    }
    expect(await checkpointer.prune(['t'], { keep: 3 })).toBe(297);
    expect(await idsOf(checkpointer.list(at('t')))).toEqual(['1299', '1298', '1297']);
  });

  test('a checkpoint that is put while its parent goes has its values', async () => {
    const configs = await putMany(at('t'), 3);
    let pruned = 0;
    const slow = beforeBatches(agent, async () => {
      if (pruned === 0) pruned = await checkpointer.prune(['t']);
    });
    const other = new AgentkeepCheckpointer(slow, { scope });
    const values = { same: long('same'), step: long('step 1'), more: 1 };
    const made = {
      ...checkpointOf('0999', values),
      channel_versions: { same: 1, step: 1, more: 1 },
    };
    const config = await other.put(configs[0]!, made, metadata, { more: 1 });
    expect(pruned).toBe(2);
    expect((await checkpointer.getTuple(config))?.checkpoint.channel_values).toEqual(values);
    expect((await checkpointer.getTuple(at('t')))?.checkpoint.id).toBe('1003');
  });

  test('a checkpoint that is put while others are pruned keeps the parent that it needs', async () => {
    const configs = await putMany(at('t'), 3);
    const made = checkpointOf('1009', { same: long('same') });
    // Its value is made of writes.
    made.channel_versions['changes'] = 1;
    let put: RunnableConfig | undefined;
    const slow = beforeBatches(agent, async () => {
      put ??= await checkpointer.put(configs[0]!, made, metadata, {});
    });
    const deleted = await new AgentkeepCheckpointer(slow, { scope }).prune(['t'], { keep: 2 });
    expect(deleted).toBe(1);
    expect(await idsOf(checkpointer.list(at('t')))).toEqual(['1009', '1003', '1001']);
    const { checkpoint } = (await checkpointer.getTuple(put!))!;
    expect(checkpoint.channel_values).toEqual({ same: long('same') });
  });

  test('a graph goes on, and ancestors stay that a channel of changes needs', async () => {
    const log = () =>
      new DeltaChannel<string[], string[]>((state, writes) => [...state, ...writes.flat()], {
        snapshotFrequency: 7,
        initialValueFactory: () => [],
      });
    const State = Annotation.Root({ turn: Annotation<number>, log });
    const graph = new StateGraph(State)
      .addNode('note', ({ turn }) => ({ log: [`turn ${turn}`] }))
      .addNode('end', ({ turn }) => ({ log: [`end ${turn}`] }))
      .addEdge(START, 'note')
      .addEdge('note', 'end')
      .addEdge('end', END)
      .compile({ checkpointer });
    const said: string[] = [];
    const counts: number[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      said.push(`turn ${turn}`, `end ${turn}`);
      expect((await graph.invoke({ turn }, at('t'))).log).toEqual(said);
      await checkpointer.prune(['t']);
      expect((await graph.getState(at('t'))).values).toEqual({ turn, log: said });
      counts.push((await idsOf(checkpointer.list(at('t')))).length);
    }
    // A snapshot comes with every seventh step that changes the channel.
    expect(Math.max(...counts)).toBeLessThan(15);
  });

  test('of a graph as many checkpoints stay as are kept, whatever way it took before', async () => {
    const graph = new StateGraph(Annotation.Root({ turn: Annotation<number> }))
      .addNode('first', ({ turn }) => ({ turn }))
      .addNode('later', ({ turn }) => ({ turn }))
      .addConditionalEdges(START, ({ turn }) => (turn === 0 ? 'first' : 'later'))
      .addEdge('first', END)
      .addEdge('later', END)
      .compile({ checkpointer });
    for (let turn = 0; turn < 4; turn += 1) await graph.invoke({ turn }, at('t'));
    await checkpointer.prune(['t'], { keep: 2 });
    expect(await idsOf(checkpointer.list(at('t')))).toHaveLength(2);
    expect((await graph.getState(at('t'))).values).toEqual({ turn: 3 });
    expect(await graph.invoke({ turn: 0 }, at('t'))).toEqual({ turn: 0 });
  });

  test.each([0, -1, 1.5])('to keep %s is refused', async (keep) => {
    await expect(checkpointer.prune(['t'], { keep })).rejects.toThrow(TypeError);
  });
});
