/** What the store promises beyond the oracle, and where the oracle is known to be wrong. */
import { type Agent, AgentkeepError, type ScopeInput } from '@agentkeep/client';
import { testStore } from '@agentkeep/testkit/test-store';
import { InvalidNamespaceError, type Operation } from '@langchain/langgraph-checkpoint';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentkeepStore, TooLargeError } from '../src/index.js';
import { Ground, ways } from './ways.js';

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open(testStore());
});

afterAll(() => ground[Symbol.asyncDispose]());

describe.each(ways)('%s', (way) => {
  let agent: Agent;
  let scope: ScopeInput;
  let store: AgentkeepStore;

  beforeEach(async () => {
    scope = ground.newScope();
    agent = await ground.agent(way, scope);
    store = new AgentkeepStore(agent, { scope });
  });

  const keysIn = async (prefix: string[]) =>
    (await store.search(prefix, { limit: 1_000 })).map(({ key }) => key);

  /** @see https://github.com/langchain-ai/langgraphjs/issues/2721 */
  test('no prefix reaches into the middle of a label', async () => {
    await store.put(['users', '1'], 'own', {});
    await store.put(['users', '1', 'notes'], 'below', {});
    await store.put(['users', '12'], 'other', {});
    expect(await keysIn(['users', '1'])).toEqual(['own', 'below']);
    expect(await keysIn(['user'])).toEqual([]);
  });

  /** @see https://github.com/langchain-ai/langgraphjs/issues/2721 */
  test('no separator in a label or a key makes two places one', async () => {
    const places: [string[], string][] = [
      [['a', 'b'], 'c'],
      [['a', 'b/c'], ''],
      [['a'], 'b/c'],
      [['a', 'b%2Fc'], 'c'],
      [['a', 'b'], 'c:d'],
      [['a'], 'b:c'],
      [['x'.repeat(600)], 'y'],
      [['x'.repeat(599)], 'xy'],
    ];
    const puts = places.map(([namespace, key], place) => ({ namespace, key, value: { place } }));
    await store.batch(puts);
    for (const [place, [namespace, key]] of places.entries()) {
      expect((await store.get(namespace, key))?.value).toEqual({ place });
    }
    const found = await store.search([], { limit: 100 });
    expect(found.map(({ namespace, key }) => [namespace, key])).toEqual(places);
  });

  /** @see https://github.com/langchain-ai/langgraph/issues/8734 */
  test('namespaces are listed as long as they have items', async () => {
    expect(await store.get(['never'], 'k')).toBeNull();
    await store.delete(['never', 'either'], 'k');
    await store.put(['a', 'b'], 'k', {});
    await store.put(['a', 'c'], 'k', {});
    expect(await store.listNamespaces()).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    await store.delete(['a', 'b'], 'k');
    expect(await store.listNamespaces({ prefix: ['*'], suffix: ['c'] })).toEqual([['a', 'c']]);
    expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([['a']]);
  });

  test('what was read stays as it was', async () => {
    const value = { list: [1] };
    await store.put(['a'], 'k', value);
    value.list.push(2);
    const read = await store.get(['a'], 'k');
    const [prior] = await store.batch([
      { namespace: ['a'], key: 'k' },
      { namespace: ['a'], key: 'k', value: { list: [3] } },
    ]);
    expect([read?.value, prior?.value]).toEqual([{ list: [1] }, { list: [1] }]);
    expect((await store.get(['a'], 'k'))?.value).toEqual({ list: [3] });
  });

  test('a batch deletes what is there and what is not', async () => {
    await store.put(['a'], 'there', {});
    await store.batch([
      { namespace: ['a'], key: 'there', value: null },
      { namespace: ['a'], key: 'absent', value: null },
      { namespace: ['a'], key: 'new', value: {} },
    ]);
    expect(await keysIn(['a'])).toEqual(['new']);
    await store.delete(['a'], 'absent');
    expect((await agent.memory.in(scope).count()).matches).toBe(1);
  });

  test('of a refused batch nothing is stored', async () => {
    const puts = [
      { namespace: ['a'], key: 'good', value: {} },
      { namespace: ['a'], key: 'bad', value: { text: '\ud800' } },
    ];
    await expect(store.batch(puts)).rejects.toThrow(AgentkeepError);
    const large = { namespace: ['a'], key: 'large', value: { text: 'x'.repeat(1_100_000) } };
    await expect(store.batch([puts[0]!, large])).rejects.toMatchObject({
      name: 'TooLargeError',
      subject: 'item',
      bytesMax: 1_047_552,
    });
    expect(await keysIn([])).toEqual([]);
  });

  test('an item takes up to 1 MiB', async () => {
    const value = { text: 'x'.repeat(1_000_000) };
    await store.put(['a'], 'large', value);
    expect((await store.get(['a'], 'large'))?.value).toEqual(value);
  });

  test('values nest up to 58 levels deep', async () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });
    const puts = [1, 58].map((levels) => ({
      namespace: ['a'],
      key: String(levels),
      value: nested(levels),
    }));
    await store.batch(puts);
    expect((await store.get(['a'], '58'))?.value).toEqual(nested(58));
    const deeper = { namespace: ['a'], key: 'deeper', value: nested(59) };
    await expect(store.batch([...puts, deeper])).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('a batch of more than a commit holds is split, or refused as a whole', async () => {
    const puts = Array.from({ length: 300 }, (_, at) => ({
      namespace: ['a'],
      key: String(at),
      value: { at },
    }));
    const strict = new AgentkeepStore(agent, { scope, largeBatches: 'refuse' });
    await expect(strict.batch(puts)).rejects.toThrow(TooLargeError);
    expect(await keysIn([])).toEqual([]);
    await store.batch(puts);
    expect(await keysIn(['a'])).toEqual(puts.map(({ key }) => key));
    const page = await store.search(['a'], { offset: 250, limit: 3, filter: { at: { $gt: 5 } } });
    expect(page.map(({ key }) => key)).toEqual(['256', '257', '258']);
  });

  test('filters of any size are met', async () => {
    const members = Array.from({ length: 20 }, (_, at) => `m${at}`);
    const value = Object.fromEntries(members.map((member) => [member, member]));
    await store.put(['a'], 'all', value);
    await store.put(['a'], 'most', { ...value, m19: 'other' });
    const many = Array.from({ length: 200 }, (_, at) => at);
    const found = async (filter: Record<string, unknown>) =>
      (await store.search(['a'], { filter })).map(({ key }) => key);
    expect(await found(value)).toEqual(['all']);
    expect(await found({ m19: { $in: [...many, 'm19'] } })).toEqual(['all']);
    expect(await found({ m19: { $nin: [...many, 'm19'] } })).toEqual(['most']);
    expect(await found({ none: undefined, m0: 'm0' })).toEqual(['all', 'most']);
    expect(await found({ m0: { $eq: NaN } })).toEqual([]);
  });

  test('filters reach members of members, and ask whether there is one', async () => {
    const author = { name: 'ann', born: { year: 1980 } };
    await store.put(['a'], 'deep', { author, none: null });
    await store.put(['a'], 'other', { author: { name: 'bob' }, tags: ['x'] });
    await store.put(['a'], 'dotted', { 'author.name': 'ann', author: 'ann' });
    const found = async (filter: Record<string, unknown>) =>
      (await store.search(['a'], { filter })).map(({ key }) => key);
    expect(await found({ 'author.name': 'ann' })).toEqual(['deep', 'dotted']);
    expect(await found({ 'author.name': { $ne: 'ann' } })).toEqual(['other']);
    expect(await found({ 'author.born.year': { $gte: 1980 } })).toEqual(['deep']);
    expect(await found({ author: { name: 'ann', born: { year: { $lt: 1981 } } } })).toEqual([
      'deep',
    ]);
    expect(await found({ author: { name: { $in: ['bob', 'ann'] } } })).toEqual(['deep', 'other']);
    expect(await found({ none: { $exists: true } })).toEqual(['deep']);
    expect(await found({ none: { $exists: false } })).toEqual(['other', 'dotted']);
    expect(await found({ author: { born: { $exists: true } } })).toEqual(['deep']);
    expect(await found({ 'author.born': { $exists: false } })).toEqual(['other', 'dotted']);
    expect(await found({ 'tags.0': { $exists: true } })).toEqual([]);
    expect(await found({ tags: { 0: 'x' } })).toEqual([]);
    expect(await found({ author: { $unknown: 1 } })).toEqual([]);
  });

  test('two writers of one item both succeed, and one of them is the last', async () => {
    const other = new AgentkeepStore(await ground.agent(way, scope), { scope });
    await Promise.all(
      [store, other].flatMap((writer, at) => [
        writer.put(['a'], 'both', { at }),
        writer.put(['a'], `own-${at}`, { at }),
        writer.delete(['a'], 'gone'),
      ]),
    );
    expect((await keysIn(['a'])).sort()).toEqual(['both', 'own-0', 'own-1']);
  });

  test.each<[string, Operation]>([
    ['no label', { namespace: [], key: 'k', value: {} }],
    ['an empty label', { namespace: ['a', ''], key: 'k' }],
    ['a period', { namespace: ['a.b'], key: 'k', value: {} }],
    ['a colon', { namespace: ['a:b'], key: 'k', value: null }],
    ['a colon in a prefix', { namespacePrefix: ['a:b'] }],
  ])('a namespace with %s is refused', async (_, operation) => {
    await expect(store.batch([operation])).rejects.toThrow(InvalidNamespaceError);
  });

  test('the reserved root is refused where LangGraph refuses it', async () => {
    await expect(store.put(['langgraph'], 'k', {})).rejects.toThrow(InvalidNamespaceError);
    await store.batch([{ namespace: ['langgraph'], key: 'k', value: {} }]);
    expect(await store.get(['langgraph'], 'k')).toMatchObject({ key: 'k' });
  });

  test('a value that is no object is refused', async () => {
    const operation = { namespace: ['a'], key: 'k', value: undefined } as unknown as Operation;
    await expect(store.batch([operation])).rejects.toThrow(TypeError);
  });
});
