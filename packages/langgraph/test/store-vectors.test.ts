/** Searches with a query, where the agent embeds. */
import type { Agent, Embed, ScopeInput } from '@agentkeep/client';
import { testStore } from '@agentkeep/testkit/test-store';
import { Embeddings } from '@langchain/core/embeddings';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentkeepStore } from '../src/index.js';
import { Ground, ways } from './ways.js';

/** A stand-in for a model: how often each letter occurs. */
const vectorOf = (text: string) => Array.from('etaoin', (letter) => text.split(letter).length);

const embed: Embed = (texts) => Promise.resolve(texts.map(vectorOf));

/** The same for LangGraph. */
class Letters extends Embeddings {
  constructor() {
    super({});
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map(vectorOf);
  }

  override async embedQuery(text: string): Promise<number[]> {
    return vectorOf(text);
  }
}

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open(testStore(), { embed });
});

afterAll(() => ground[Symbol.asyncDispose]());

describe.each(ways)('%s', (way) => {
  let agent: Agent;
  let scope: ScopeInput;

  beforeEach(async () => {
    scope = ground.newScope();
    agent = await ground.agent(way, scope);
  });

  test('items are scored and ordered as by the store of LangGraph', async () => {
    const letter = fc.constantFrom('e', 't', 'a', 'o', 'i', 'n', ' ');
    const word = fc.string({ unit: letter, maxLength: 12 }).map((text) => `x${text}`);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(word, { maxLength: 12 }), word, async (texts, query) => {
        const place = ground.newScope();
        const own = await ground.agent(way, place);
        const store = new AgentkeepStore(own, { scope: place, fields: ['text'] });
        const index = { dims: 6, embeddings: new Letters(), fields: ['text'] };
        const oracle = new InMemoryStore({ index });
        for (const [at, text] of texts.entries()) {
          const isLeftOut = at % 5 === 4 ? (false as const) : undefined;
          await store.put(['notes'], text, { text }, isLeftOut);
          await oracle.put(['notes'], text, { text }, isLeftOut);
        }
        await own.memory.embedded();
        const options = { query, limit: 100 };
        const ours = await store.search(['notes'], options);
        const theirs = await oracle.search(['notes'], options);
        const keys = (items: typeof ours) => items.map(({ key }) => key).sort();
        expect(keys(ours)).toEqual(keys(theirs));
        const scores = theirs.map(({ score }) => score);
        const close = (score?: number) =>
          score === undefined ? undefined : (expect.closeTo(score, 5) as unknown);
        expect(ours.map(({ score }) => score)).toEqual(scores.map(close));
        for (const { key, score } of ours) {
          expect(score).toEqual(close(theirs.find((each) => each.key === key)?.score));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('a replaced or deleted item is found no more by what it was', async () => {
    const store = new AgentkeepStore(agent, { scope, fields: ['text'] });
    await store.put(['notes'], 'replaced', { text: 'ttttt' });
    await store.put(['notes'], 'deleted', { text: 'ttttt' });
    await agent.memory.embedded();
    await store.put(['notes'], 'replaced', { text: 'ttttt' }, false);
    await store.delete(['notes'], 'deleted');
    await store.put(['notes'], 'deleted', { text: 'x' }, false);
    await agent.memory.embedded();
    const found = await store.search(['notes'], { query: 'ttttt' });
    expect(found.map(({ key, score }) => [key, score])).toEqual([
      ['replaced', undefined],
      ['deleted', undefined],
    ]);
  });

  test('by words and vectors together, a name that the vector blurs comes first', async () => {
    const store = new AgentkeepStore(agent, { scope, fields: ['text'], queryOrder: 'hybrid' });
    await store.put(['notes'], 'near', { text: 'a note' });
    await store.put(['notes'], 'named', { text: 'zzz 東京 a note' });
    await agent.memory.embedded();
    const found = await store.search(['notes'], { query: 'zzz東京: a note' });
    expect(found.map(({ key }) => key)).toEqual(['named', 'near']);
    expect(await store.search(['notes'], { query: '?!' })).toHaveLength(2);
  });

  test('paths say what is embedded, and a put can say it for itself', async () => {
    const store = new AgentkeepStore(agent, { scope });
    const value = { title: 'eee', chapters: [{ text: 'ttt' }, { text: 'aaa' }], pages: 3 };
    await store.put(['books'], 'all', value);
    await store.put(['books'], 'some', value, ['chapters[*].text', 'pages', 'chapters[-1].text']);
    await store.put(['books'], 'none', value, ['absent.path', 'title.length']);
    const texts = [];
    for await (const { record } of agent.memory.in(scope).search({}, { order: 'oldest' })) {
      texts.push(record.payload.content.primary);
    }
    expect(texts).toEqual([JSON.stringify(value), 'ttt\naaa\n3\naaa', '']);
  });
});

test('without embeddings, an item is found that has no word of the query', async () => {
  await using plain = await Ground.open(testStore());
  const scope = plain.newScope();
  const agent = await plain.agent('embedded', scope);
  const store = new AgentkeepStore(agent, { scope });
  await store.put(['a'], 'k', { text: 'tea' });
  const [found] = await store.search(['a'], { query: 'coffee' });
  expect(found).toMatchObject({ key: 'k' });
  expect(found?.score).toBeUndefined();
});
