/** Items that end after some time. */
import type { Agent, ScopeInput } from '@agentkeep/client';
import { ManualClock } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AgentkeepStore } from '../src/index.js';
import type { ItemLifetime } from '../src/store/item-lifetime.js';
import type { ItemPut } from '../src/store/item-record.js';
import { Ground, ways } from './ways.js';

const clock = new ManualClock();
let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open(testStore(), { clock });
});

afterAll(() => ground[Symbol.asyncDispose]());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
});

afterEach(() => {
  vi.useRealTimers();
});

function passMinutes(minutes: number): void {
  clock.advance(minutes * 60_000);
  vi.setSystemTime(clock.now());
}

describe.each(ways)('%s', (way) => {
  let agent: Agent;
  let scope: ScopeInput;

  beforeEach(async () => {
    scope = ground.newScope();
    agent = await ground.agent(way, scope);
  });

  const storeWith = (ttl: ItemLifetime) => new AgentkeepStore(agent, { scope, ttl });
  const keysIn = async (store: AgentkeepStore) => (await store.search(['a'])).map(({ key }) => key);

  test('an item ends after the minutes of its put, or those of the store', async () => {
    const store = storeWith({ defaultTtl: 10 });
    await store.put(['a'], 'own', {}, undefined, { ttl: 0.5 });
    await store.put(['a'], 'default', {});
    await store.put(['a'], 'forever', {}, undefined, { ttl: 0 });
    const put: ItemPut = { namespace: ['a'], key: 'batch', value: {}, options: { ttl: 20 } };
    await store.batch([put]);
    expect(await keysIn(store)).toEqual(['own', 'default', 'forever', 'batch']);
    passMinutes(0.5);
    expect(await store.get(['a'], 'own')).toBeNull();
    expect(await keysIn(store)).toEqual(['default', 'forever', 'batch']);
    passMinutes(9.5);
    expect(await keysIn(store)).toEqual(['forever', 'batch']);
    passMinutes(10);
    expect(await keysIn(store)).toEqual(['forever']);
  });

  test('a namespace is listed until its last item ends, and an item may come again', async () => {
    const store = storeWith({});
    await store.put(['a'], 'k', { at: 1 }, undefined, { ttl: 1 });
    passMinutes(1);
    expect(await store.listNamespaces()).toEqual([]);
    await store.put(['a'], 'k', { at: 2 });
    passMinutes(100);
    expect((await store.get(['a'], 'k'))?.value).toEqual({ at: 2 });
  });

  test('an item that is read lives on where the store says so', async () => {
    const still = storeWith({ defaultTtl: 10 });
    const store = storeWith({ defaultTtl: 10, refreshOnRead: true });
    await store.put(['a'], 'got', { n: 1 });
    await store.put(['a'], 'found', { n: 2 }, undefined, { ttl: 20 });
    await store.put(['b'], 'unread', {});
    await store.put(['a'], 'forever', {}, undefined, { ttl: 0 });
    passMinutes(9);
    expect(await still.get(['a'], 'got')).not.toBeNull();
    expect(await store.get(['a'], 'got')).toMatchObject({ value: { n: 1 } });
    expect(await store.search(['a'], { filter: { n: 2 } })).toHaveLength(1);
    passMinutes(9.9);
    expect(await keysIn(still)).toEqual(['got', 'found', 'forever']);
    expect(await still.get(['b'], 'unread')).toBeNull();
    passMinutes(0.1);
    expect(await keysIn(still)).toEqual(['found', 'forever']);
    passMinutes(10);
    expect(await keysIn(still)).toEqual(['forever']);
  });

  test('a read writes an item once in a tenth of its time', async () => {
    const store = storeWith({ defaultTtl: 10, refreshOnRead: true });
    await store.put(['a'], 'k', {});
    const revisions = async () => {
      for await (const { record } of agent.memory.in(scope).search()) return record.revision;
      return undefined;
    };
    passMinutes(0.9);
    await store.get(['a'], 'k');
    expect(await revisions()).toBe(1);
    passMinutes(0.1);
    await Promise.all([store.get(['a'], 'k'), store.get(['a'], 'k'), store.search(['a'])]);
    expect(await revisions()).toBe(2);
  });

  test('items that have ended are deleted on request, and no others', async () => {
    const store = storeWith({});
    await store.put(['a'], 'ended', {}, undefined, { ttl: 1 });
    await store.put(['a'], 'later', {}, undefined, { ttl: 3 });
    await store.put(['a'], 'forever', {});
    passMinutes(2);
    expect(await store.sweepExpiredItems()).toBe(1);
    expect(await store.sweepExpiredItems()).toBe(0);
    expect((await agent.memory.in(scope).count({ expired: 'included' })).matches).toBe(2);
    expect(await keysIn(store)).toEqual(['later', 'forever']);
  });

  test.each([-1, NaN, Infinity])('a ttl of %s is refused', async (ttl) => {
    const store = storeWith({});
    await expect(store.put(['a'], 'k', {}, undefined, { ttl })).rejects.toThrow(TypeError);
    expect(() => storeWith({ defaultTtl: ttl })).toThrow(TypeError);
  });
});
