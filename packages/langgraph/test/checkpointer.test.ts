/** What the checkpointer promises beyond the suite of LangGraph. */
import type { Agent, ScopeInput } from '@agentkeep/client';
import { testStore } from '@agentkeep/testkit/test-store';
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
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

const threadOf = (thread_id: string) => ({ configurable: { thread_id } });

/** Long, with pairs of surrogates at every other place, and much that JSON escapes. */
const long = (units: number) => '😀"\u0001\\'.repeat(units / 5);

describe.each(ways)('%s', (way) => {
  let agent: Agent;
  let scope: ScopeInput;
  let checkpointer: AgentkeepCheckpointer;

  beforeEach(async () => {
    scope = ground.newScope();
    agent = await ground.agent(way, scope);
    checkpointer = new AgentkeepCheckpointer(agent, { scope });
  });

  async function records(): Promise<number> {
    return (await agent.memory.in(scope).count()).matches;
  }

  test('checkpoints and writes that are larger than a commit come back whole', async () => {
    const values = { messages: [long(300_000)], small: 1 };
    const thread = threadOf('large');
    const config = await checkpointer.put(thread, checkpointOf('1', values), metadata, {
      messages: 1,
      small: 1,
    });
    await checkpointer.putWrites(config, [['messages', long(250_000)]], 'task');
    const tuple = await checkpointer.getTuple(thread);
    expect(tuple?.checkpoint.channel_values).toEqual(values);
    expect(tuple?.pendingWrites).toEqual([['task', 'messages', long(250_000)]]);
    await checkpointer.deleteThread('large');
    expect(await records()).toBe(0);
  });

  test('a checkpoint of up to 1 MB is one commit', async () => {
    let batches = 0;
    const counted = beforeBatches(agent, async () => (batches += 1));
    const large = checkpointOf('1', { a: 'x'.repeat(400_000), b: long(100_000) });
    await new AgentkeepCheckpointer(counted, { scope }).put(threadOf('t'), large, metadata);
    expect(batches).toBe(1);
  });

  test('hundreds of values come back that the record has no room for', async () => {
    const many = (count: number, units: number) =>
      Array.from({ length: count }, (_, at) => [`${units}-${at}`, 'x'.repeat(units)] as const);
    const values = Object.fromEntries([...many(30, 4_000), ...many(400, 100)]);
    const checkpoint = checkpointOf('1', values);
    await checkpointer.put(threadOf('t'), checkpoint, metadata, checkpoint.channel_versions);
    const tuple = await checkpointer.getTuple(threadOf('t'));
    expect(tuple?.checkpoint.channel_values).toEqual(values);
  });

  test('a long value that stays the same is stored once', async () => {
    const values = { messages: long(300_000), step: 1 };
    const versions = { messages: 1, step: 1 };
    let config = await checkpointer.put(
      threadOf('t'),
      checkpointOf('1', values),
      metadata,
      versions,
    );
    const before = await records();
    for (const id of ['2', '3']) {
      config = await checkpointer.put(config, checkpointOf(id, values), metadata, {});
      expect((await checkpointer.getTuple(config))?.checkpoint.channel_values).toEqual(values);
    }
    expect(await records()).toBe(before + 2);
  });

  test('a fork has the values of what it copies, though that is not its parent', async () => {
    const first = await checkpointer.put(threadOf('t'), checkpointOf('1', { a: 1 }), metadata, {
      a: 1,
    });
    await checkpointer.put(first, checkpointOf('2', { a: 1, b: 2 }), metadata, { b: 1 });
    const fork = { ...metadata, source: 'fork' as const };
    const config = await checkpointer.put(first, checkpointOf('3', { a: 1, b: 2 }), fork, {});
    expect((await checkpointer.getTuple(config))?.checkpoint.channel_values).toEqual({
      a: 1,
      b: 2,
    });
  });

  test('a checkpoint keeps its values where its parent is not known', async () => {
    const gone = { configurable: { thread_id: 't', checkpoint_id: '0' } };
    const config = await checkpointer.put(gone, checkpointOf('1', { a: 1 }), metadata, {});
    expect((await checkpointer.getTuple(config))?.checkpoint.channel_values).toEqual({ a: 1 });
  });

  test('the latest checkpoint is the one with the greatest id, not the last one written', async () => {
    for (const id of ['2', '3', '1']) {
      await checkpointer.put(threadOf('t'), checkpointOf(id, {}), metadata, {});
    }
    expect((await checkpointer.getTuple(threadOf('t')))?.checkpoint.id).toBe('3');
    expect(await idsOf(checkpointer.list(threadOf('t')))).toEqual(['3', '2', '1']);
    expect(await idsOf(checkpointer.list(threadOf('t'), { limit: 1 }))).toEqual(['3']);
  });

  test.each([
    ['slashes', 'a/b', 'a'],
    ['escapes', 'a%2Fb', 'a/b'],
    ['names of members', '__proto__', 'constructor'],
    ['controls and blanks', ' \n', ' '],
    ['length', 'x'.repeat(2_000), 'x'.repeat(2_001)],
  ])('threads and namespaces stay apart whatever they are called: %s', async (_, one, other) => {
    const at = (thread_id: string, checkpoint_ns: string) => ({
      configurable: { thread_id, checkpoint_ns },
    });
    const places = [at(one, ''), at(other, ''), at(one, other), at(other, one)];
    for (const [place, config] of places.entries()) {
      await checkpointer.put(config, checkpointOf('1', { place }), metadata, { place: 1 });
    }
    for (const [place, config] of places.entries()) {
      const { checkpoint } = (await checkpointer.getTuple(config))!;
      expect(checkpoint.channel_values).toEqual({ place });
    }
    await checkpointer.deleteThread(one);
    const left = await Promise.all(places.map((config) => checkpointer.getTuple(config)));
    expect(left.map((tuple) => tuple !== undefined)).toEqual([false, true, false, true]);
  });

  test('a task that runs again leaves its writes as they are, but for errors and interrupts', async () => {
    const config = await checkpointer.put(threadOf('t'), checkpointOf('1', {}), metadata, {});
    await checkpointer.putWrites(config, [['a', 1]], 'task', 'path');
    await checkpointer.putWrites(config, [['__error__', 'first']], 'task', 'path');
    await checkpointer.putWrites(config, [['a', 2]], 'task', 'path');
    await checkpointer.putWrites(config, [['__error__', 'second']], 'task', 'path');
    expect((await checkpointer.getTuple(config))?.pendingWrites).toEqual([
      ['task', '__error__', 'second'],
      ['task', 'a', 1],
    ]);
  });

  test('bytes of another serializer come back as they were', async () => {
    const mask = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0xa5);
    const serde: SerializerProtocol = {
      dumpsTyped: async (value) => [
        'masked',
        mask(new TextEncoder().encode(JSON.stringify(value))),
      ],
      loadsTyped: async (_, bytes) =>
        JSON.parse(new TextDecoder().decode(mask(bytes as Uint8Array))) as unknown,
    };
    const masked = new AgentkeepCheckpointer(agent, { scope, serde });
    const config = await masked.put(threadOf('t'), checkpointOf('1', { a: 'é' }), metadata, {
      a: 1,
    });
    expect((await masked.getTuple(config))?.checkpoint.channel_values).toEqual({ a: 'é' });
  });

  test('ids that are no text are refused by name', async () => {
    const config = { configurable: { thread_id: 7 } };
    await expect(checkpointer.getTuple(config)).rejects.toThrow('configurable.thread_id');
    await expect(checkpointer.put({}, checkpointOf('1', {}), metadata, {})).rejects.toThrow(
      'thread_id',
    );
  });
});
