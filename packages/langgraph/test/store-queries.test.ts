/** Searches with a query find every item that is there throughout, whatever others write. */
import type { Agent, Embed, ScopeInput } from '@agentkeep/client';
import { testStore } from '@agentkeep/testkit/test-store';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentkeepStore } from '../src/index.js';
import type { QueryOrder } from '../src/store/item-search.js';
import { type Between, interleaved } from './interleaved.js';
import { Ground, ways } from './ways.js';

/** A stand-in for a model: how often some letters occur, which may be never. */
const vectorOf = (text: string) => Array.from('abcx', (letter) => text.split(letter).length - 1);

const embed: Embed = (texts) => Promise.resolve(texts.map(vectorOf));

/** More than there is. */
const ALL = 1_000;

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open(testStore(), { embed });
});

afterAll(() => ground[Symbol.asyncDispose]());

describe.each(ways)('%s', (way) => {
  let agent: Agent;
  let scope: ScopeInput;
  /** Its items get no embedding before `embedAll()`. */
  let writer: AgentkeepStore;

  beforeEach(async () => {
    scope = ground.newScope();
    agent = await ground.agent(way, scope);
    writer = new AgentkeepStore(await ground.plainAgent(scope), { scope, fields: ['text'] });
  });

  const embedAll = () => agent.memory.in(scope).embedMissing();

  const write = (key: string, text: string) => writer.put(['n'], key, { text, size: text.length });

  /** Returns the keys that a search finds between whose pages others write. */
  async function keysFound(between: Between, query: string, order: QueryOrder, limit = ALL) {
    const store = new AgentkeepStore(interleaved(agent, between), { scope, queryOrder: order });
    // The agent can't decide this filter, so pages hold less than the limit.
    const found = await store.search(['n'], { query, limit, filter: { size: { $gte: 2 } } });
    return found.map(({ key }) => key);
  }

  describe.each<QueryOrder>(['nearest', 'hybrid'])('in the order %s', (order) => {
    test('an item that gets its embedding between two reads comes after the others', async () => {
      await write('known', 'aab');
      await embedAll();
      await write('pending', 'aaa');
      expect(await keysFound(embedAll, 'aa', order)).toEqual(['known', 'pending']);
    });

    test('an item that loses its embedding between two reads is found once', async () => {
      await write('known', 'aab');
      await write('updated', 'aaa');
      await embedAll();
      const between = () => write('updated', 'aab');
      expect(await keysFound(between, 'aa', order)).toEqual(['updated', 'known']);
    });

    test('an item that is deleted and written again between two reads is found once', async () => {
      await write('known', 'aab');
      await write('again', 'aaa');
      await embedAll();
      const between = async () => {
        await writer.delete(['n'], 'again');
        await write('again', 'aaa');
      };
      expect(await keysFound(between, 'aa', order)).toEqual(['again', 'known']);
    });

    test('an item whose embedding is zeros comes after the others', async () => {
      await write('zeros', 'zz');
      await write('known', 'aa');
      await embedAll();
      expect(await keysFound(embedAll, 'aa', order)).toEqual(['known', 'zeros']);
    });

    test('whatever is written between pages, each item that stays is found once', async () => {
      const key = fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7');
      const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'z'), maxLength: 3 });
      const step = fc.oneof(
        { weight: 3, arbitrary: fc.record({ type: fc.constant('write' as const), key, text }) },
        { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), key }) },
        { weight: 2, arbitrary: fc.record({ type: fc.constant('embed' as const) }) },
      );
      const steps = fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 6 });
      const items = fc.uniqueArray(fc.tuple(key, text), { selector: ([each]) => each });
      await fc.assert(
        fc.asyncProperty(items, items, steps, async (known, pending, between) => {
          for (const each of '01234567') await writer.delete(['n'], each);
          const states = new Map<string, (string | undefined)[]>();
          const put = async (each: string, to: string) => {
            states.set(each, [...(states.get(each) ?? []), to]);
            await write(each, to);
          };
          for (const [each, to] of known) await put(each, to);
          await embedAll();
          for (const [each, to] of pending) await put(each, to);
          for (const [each, all] of states) states.set(each, all.slice(-1));
          const found = await keysFound(
            async (page) => {
              for (const one of between[page - 1] ?? []) {
                if (one.type === 'embed') await embedAll();
                else if (one.type === 'write') await put(one.key, one.text);
                else {
                  states.set(one.key, [...(states.get(one.key) ?? []), undefined]);
                  await writer.delete(['n'], one.key);
                }
              }
            },
            'ab',
            order,
            8,
          );
          expect(found).toEqual([...new Set(found)]);
          const stayed = [...states].filter(
            ([each, all]) =>
              [...known, ...pending].some(([own]) => own === each) &&
              all.every((state) => state !== undefined && state.length >= 2),
          );
          expect(found).toEqual(expect.arrayContaining(stayed.map(([each]) => each)));
        }),
        { numRuns: 25 },
      );
    });
  });

  test('the order by words and vectors has more items than it ranks', async () => {
    const puts = Array.from({ length: 120 }, (_, at) => ({
      namespace: ['n'],
      key: String(at),
      value: { text: `a${'b'.repeat(at)}`, size: 2 },
    }));
    await writer.batch(puts);
    await embedAll();
    expect(new Set(await keysFound(embedAll, 'ab', 'hybrid'))).toHaveLength(120);
  });

  test('a query whose embedding is zeros goes by words, or by age', async () => {
    const store = new AgentkeepStore(agent, { scope, fields: ['text'] });
    await write('other', 'aa');
    await write('named', 'zz top');
    await embedAll();
    const found = async (query: string) =>
      (await store.search(['n'], { query })).map(({ key, score }) => [key, score]);
    expect(await found('zz')).toEqual([
      ['named', undefined],
      ['other', undefined],
    ]);
    expect(await found('?!')).toEqual([
      ['other', undefined],
      ['named', undefined],
    ]);
  });

  test('with a least similarity, items come that are as near', async () => {
    await write('near', 'aab');
    await write('far', 'abb');
    await write('none', 'ccc');
    await embedAll();
    await write('pending', 'aab');
    const search = async (store: AgentkeepStore, query: string, similarityThreshold?: number) =>
      (await store.search(['n'], { query, similarityThreshold })).map(({ key }) => key);
    const plain = new AgentkeepStore(agent, { scope });
    expect(await search(plain, 'aa', 0.8)).toEqual(['near']);
    expect(await search(plain, 'aa', 0.4)).toEqual(['near', 'far']);
    expect(await search(plain, 'aa', -1)).toEqual(['near', 'far', 'none']);
    const strict = new AgentkeepStore(agent, { scope, similarityThreshold: 0.8 });
    expect(await search(strict, 'aa')).toEqual(['near']);
    expect(await search(strict, 'zz')).toEqual([]);
    expect(await search(strict, '')).toEqual(['near', 'far', 'none', 'pending']);
  });

  test('without embeddings, items with more words of a query come first', async () => {
    const plain = await ground.plainAgent(scope);
    const store = new AgentkeepStore(plain, { scope });
    await store.put(['n'], 'none', { text: 'milk' });
    await store.put(['n'], 'one', { text: 'black tea' });
    await store.put(['n'], 'both', { text: 'green tea' });
    await store.put(['n'], 'hidden', { text: 'green tea' }, false);
    const keys = async (similarityThreshold?: number) => {
      const found = await store.search(['n'], { query: 'Green TEA!', similarityThreshold });
      return found.map(({ key }) => key);
    };
    expect(await keys()).toEqual(['both', 'one', 'none', 'hidden']);
    expect(await keys(0.5)).toEqual(['both', 'one']);
  });
});
