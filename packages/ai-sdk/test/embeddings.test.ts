/** What is found where the agent makes embeddings. */
import type { Agent, Embed } from '@agentkeep/client';
import { generateText, wrapLanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { memoryTools, withMemory } from '../src/index.js';
import { concepts } from './concepts.js';
import { scriptedModel } from './scripted-model.js';
import { opened, scope, ways } from './two-ways.js';

const record = (primary: string) => ({
  episode_type: 'Observation' as const,
  content: { primary },
  event_time_millis: 0,
});

/** Stores what is asked about, and waits for its embeddings. */
async function storeFacts(agent: Agent): Promise<void> {
  await agent.memory.in(scope).put('customers/ann', record('Ann prefers tea.'));
  await agent.memory.in(scope).put('customers/zoe', record('Zoe prefers coffee.'));
  await agent.memory.in(scope).put('places/printer', record('Paper lies near the printer.'));
  await agent.memory.embedded();
}

/** Returns the names of what the tool finds. */
async function recalled(agent: Agent, query: string, limit?: number): Promise<unknown[]> {
  const { recall } = memoryTools({ agent, scope });
  const answer = await recall.execute?.({ query, limit }, { toolCallId: 'c', messages: [] });
  return (answer as { memories: { name?: string }[] }).memories.map(({ name }) => name);
}

describe.each(ways)('memory with embeddings, %s', (way) => {
  test('recall finds what is said in other words, which words alone do not', async () => {
    await using desk = await opened(way, concepts);
    await storeFacts(desk.agent);
    expect(await recalled(desk.agent, 'How to print?', 1)).toEqual(['places/printer']);
    const drinks = await recalled(desk.agent, 'Which beverage?', 2);
    expect(drinks.sort()).toEqual(['customers/ann', 'customers/zoe']);
    await using plain = await opened(way);
    await storeFacts(plain.agent);
    expect(await recalled(plain.agent, 'Which beverage?', 2)).toEqual([]);
  });

  test('a query whose embedding is all zeros is looked for by its words', async () => {
    const zeros: Embed = async (texts, request) => {
      const made = await concepts(texts, request);
      return request.kind === 'query' ? made.map((values) => values.map(() => 0)) : made;
    };
    await using desk = await opened(way, zeros);
    await storeFacts(desk.agent);
    expect(await recalled(desk.agent, 'Who drinks tea?')).toEqual(['customers/ann']);
  });

  test('of what is equally near, that with the words comes first', async () => {
    await using desk = await opened(way, concepts);
    await storeFacts(desk.agent);
    for (const name of ['ann', 'zoe']) {
      const found = await recalled(desk.agent, `A beverage to please ${name}`);
      expect(found[0]).toBe(`customers/${name}`);
    }
  });

  test('the prompt gets what is near the last user message', async () => {
    await using desk = await opened(way, concepts);
    const { agent } = desk;
    await storeFacts(agent);
    const inner = scriptedModel('Near the printer.');
    const model = wrapLanguageModel({
      model: inner,
      middleware: withMemory({ agent, scope, limit: 1 }),
    });
    await generateText({ model, prompt: 'How to print?', maxRetries: 0 });
    const [system] = inner.doGenerateCalls[0]?.prompt ?? [];
    expect(system?.content).toContain('- (places/printer) Paper lies near the printer.');
    expect(system?.content).not.toContain('prefers');
  });

  test('the embedding of a long text is made of its beginning', async () => {
    const lengths: number[] = [];
    const embed: Embed = (texts, request) => {
      if (request.kind === 'query') lengths.push(...texts.map(({ length }) => length));
      return concepts(texts, request);
    };
    await using desk = await opened(way, embed);
    await storeFacts(desk.agent);
    expect(await recalled(desk.agent, 'beverage '.repeat(10_000), 2)).toHaveLength(2);
    expect(lengths).toEqual([4_000]);
  });

  test('the model is told how memories are found', async () => {
    await using desk = await opened(way, concepts);
    await using plain = await opened(way);
    const [both, words] = [desk, plain].map(({ agent }) => memoryTools({ agent, scope }).recall);
    expect(both?.description).toContain('meaning');
    expect(words?.description).not.toContain('meaning');
  });
});
