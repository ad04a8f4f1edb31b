/** What the middleware puts into prompts and stores, with the mock model of the AI SDK. */
import { generateText, type LanguageModelMiddleware, streamText, wrapLanguageModel } from 'ai';
import type { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { withMemory } from '../src/index.js';
import { scriptedModel } from './scripted-model.js';
import { opened, scope, ways } from './two-ways.js';

const record = (primary: string) => ({
  episode_type: 'Observation' as const,
  content: { primary },
  event_time_millis: 0,
});

const wrapped = (model: MockLanguageModelV3, middleware: LanguageModelMiddleware) =>
  wrapLanguageModel({ model, middleware });

/** The system messages that a model got. */
function systemOf({ doGenerateCalls, doStreamCalls }: MockLanguageModelV3): string[] {
  const prompt = [...doGenerateCalls, ...doStreamCalls].at(-1)?.prompt ?? [];
  return prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []));
}

describe.each(ways)('a model with memory, %s', (way) => {
  test('gets what is found for the last user message, behind its instructions', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    await agent.memory.in(scope).put('customers/ann', record('Ann prefers tea.'));
    await agent.memory.in(scope).create(record('The printer is on floor 2.'));
    const inner = scriptedModel('Tea.');
    const model = wrapped(inner, withMemory({ agent, scope }));
    await generateText({ model, system: 'Help.', prompt: 'What does Ann drink?', maxRetries: 0 });
    const [instructions, known] = systemOf(inner);
    expect(instructions).toBe('Help.');
    expect(known).toContain('- (customers/ann) Ann prefers tea.');
    expect(known).not.toContain('printer');
    expect((await agent.memory.in(scope).queryPage()).records).toHaveLength(2);
  });

  test('gets its prompt unchanged when nothing is found', async () => {
    await using desk = await opened(way);
    const inner = scriptedModel('Hello.', 'Hello.');
    const model = wrapped(inner, withMemory({ agent: desk.agent, scope }));
    for (const prompt of ['Unheard words', '?!']) {
      await generateText({ model, prompt, maxRetries: 0 });
      expect(systemOf(inner)).toEqual([]);
    }
  });

  test('gets a bounded number of records and characters', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    for (let at = 0; at < 9; at += 1) {
      await agent.memory.in(scope).create(record(`tea ${at} ${'x'.repeat(100)}`));
    }
    const ask = async (options: { limit?: number; maxChars?: number }): Promise<string> => {
      const inner = scriptedModel('Yes.');
      const model = wrapped(inner, withMemory({ agent, scope, ...options }));
      await generateText({ model, prompt: 'Tea?', maxRetries: 0 });
      const [, ...lines] = (systemOf(inner)[0] ?? '').split('\n');
      return lines.join('\n');
    };
    expect((await ask({})).split('\n')).toHaveLength(5);
    expect((await ask({ limit: 2 })).split('\n')).toHaveLength(2);
    expect(await ask({ maxChars: 150 })).toHaveLength(150);
  });

  test('stores a turn once, at once and streamed, and finds it later', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const middleware = withMemory({ agent, scope, storeTurns: true });
    const call = { prompt: 'I moved to Lisbon.', maxRetries: 0 };
    for (let turn = 0; turn < 2; turn += 1) {
      const model = wrapped(scriptedModel('Noted.'), middleware);
      await generateText({ ...call, model });
    }
    const streaming = wrapped(scriptedModel('Noted.'), middleware);
    expect(await streamText({ ...call, model: streaming }).text).toBe('Noted.');
    const { records } = await agent.memory.in(scope).queryPage();
    expect(records.map(({ payload }) => payload.content.primary)).toEqual([
      'user: I moved to Lisbon.\nassistant: Noted.',
    ]);
    const inner = scriptedModel('Lisbon.');
    const model = wrapped(inner, middleware);
    await streamText({ model, prompt: 'Lisbon or Porto?', maxRetries: 0 }).text;
    expect(systemOf(inner)[0]).toContain('I moved to Lisbon.');
  });

  test('a turn ends with words, not with a tool call', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const inner = scriptedModel({ id: 'c', tool: 'none', input: {} });
    const model = wrapped(inner, withMemory({ agent, scope, storeTurns: true }));
    await generateText({ model, prompt: 'Work.', maxRetries: 0 });
    expect((await agent.memory.in(scope).queryPage()).records).toEqual([]);
  });

  test('fails with its memory, or goes on without it when told to', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const elsewhere = { ...scope, project_id: 'elsewhere' };
    const ask = (middleware: LanguageModelMiddleware) => {
      const model = wrapped(scriptedModel('Hello.'), middleware);
      return generateText({ model, prompt: 'Hello there', maxRetries: 0 });
    };
    const refused = ask(withMemory({ agent, scope: elsewhere }));
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const { text } = await ask(withMemory({ agent, scope: elsewhere, storeTurns: true, onError }));
    expect(text).toBe('Hello.');
    expect(errors).toMatchObject([{ code: 'forbidden' }, { code: 'forbidden' }]);
  });

  test('the signal of the call ends the search', async () => {
    await using desk = await opened(way);
    const middleware = withMemory({ agent: desk.agent, scope });
    const model = wrapped(scriptedModel('Hello.'), middleware);
    const abortSignal = AbortSignal.abort(new Error('over'));
    const call = generateText({ model, prompt: 'Hello there', maxRetries: 0, abortSignal });
    await expect(call).rejects.toThrow('over');
  });
});
