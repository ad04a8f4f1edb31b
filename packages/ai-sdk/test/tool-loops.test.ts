/** The tools in real tool loops of the AI SDK with its mock model. */
import { generateText, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, test } from 'vitest';
import { memoryTools } from '../src/index.js';
import { scriptedModel, type Step } from './scripted-model.js';
import { opened, scope, ways } from './two-ways.js';

const remember: Step = {
  id: 'c1',
  tool: 'remember',
  input: { text: 'Ann prefers tea.', name: 'customers/ann', tags: ['customer'] },
};
const script: Step[] = [
  remember,
  { id: 'c2', tool: 'recall', input: { query: 'What does Ann drink? Tea?' } },
  { id: 'c3', tool: 'get_memory', input: { name: 'customers/ann' } },
  { id: 'c4', tool: 'forget', input: { name: 'customers/bob' } },
  { id: 'c5', tool: 'forget', input: { name: 'customers/ann' } },
  { id: 'c6', tool: 'get_memory', input: { name: 'customers/ann' } },
  'Done.',
];

const memory = {
  name: 'customers/ann',
  text: 'Ann prefers tea.',
  tags: ['ai-sdk', 'customer'],
  changed_at: expect.any(String) as string,
};

/** What the tools answered, in order. */
const answers = [
  { name: 'customers/ann' },
  { memories: [memory] },
  { memory },
  { forgotten: false },
  { forgotten: true },
  { memory: null },
];

/** Steps of a loop, as all versions have them; version 7 has other messages in its response. */
type Steps = readonly { readonly content: readonly object[] }[];

/** Returns what the tools answered, or the messages of their errors. */
function outputsOf(steps: Steps): unknown[] {
  return steps.flatMap(({ content }) =>
    content.flatMap((part) => {
      if ('output' in part) return [part.output];
      return 'error' in part ? [String(part.error)] : [];
    }),
  );
}

const options = { prompt: 'Work.', stopWhen: stepCountIs(10), maxRetries: 0 };

describe.each(ways)('the tools in a loop, %s', (way) => {
  test('generateText', async () => {
    await using desk = await opened(way);
    const tools = memoryTools({ agent: desk.agent, scope });
    const model = scriptedModel(...script);
    const { text, steps } = await generateText({ ...options, model, tools });
    expect(text).toBe('Done.');
    expect(outputsOf(steps)).toEqual(answers);
    const [, parameters] = model.doGenerateCalls[0]?.tools ?? [];
    expect(parameters).toMatchObject({ name: 'recall', inputSchema: { required: ['query'] } });
  });

  test('streamText', async () => {
    await using desk = await opened(way);
    const tools = memoryTools({ agent: desk.agent, scope });
    const result = streamText({ ...options, model: scriptedModel(...script), tools });
    expect(await result.text).toBe('Done.');
    expect(outputsOf(await result.steps)).toEqual(answers);
  });

  test('a call that is executed again writes once', async () => {
    await using desk = await opened(way);
    const note: Step = { id: 'n1', tool: 'remember', input: { text: 'The lab closes at six.' } };
    for (let turn = 0; turn < 3; turn += 1) {
      const tools = memoryTools({ agent: desk.agent, scope, now: () => turn });
      await generateText({ ...options, model: scriptedModel(remember, note, 'Done.'), tools });
    }
    const { records } = await desk.agent.memory.in(scope).queryPage();
    expect(records.map(({ revision }) => revision)).toEqual([1, 1]);
    expect(records.map(({ payload }) => payload.source)).toEqual(['model', 'model']);
    const forget: Step = { id: 'f1', tool: 'forget', input: { name: 'customers/ann' } };
    for (let turn = 0; turn < 2; turn += 1) {
      const tools = memoryTools({ agent: desk.agent, scope });
      const model = scriptedModel(forget, 'Done.');
      const { steps } = await generateText({ ...options, model, tools });
      expect(outputsOf(steps)).toEqual([{ forgotten: true }]);
    }
  });

  test('a memory that is corrected is found no more', async () => {
    await using desk = await opened(way);
    const input = { text: 'Ann prefers coffee.', name: 'drinks/ann' };
    const corrects = ['customers/ann', 'drinks/ann', 'missing'];
    const correct: Step = { id: 'c2', tool: 'remember', input: { ...input, corrects } };
    const recall: Step = { id: 'c3', tool: 'recall', input: { query: 'What Ann prefers' } };
    for (let turn = 0; turn < 2; turn += 1) {
      const tools = memoryTools({ agent: desk.agent, scope, now: () => turn });
      const model = scriptedModel(remember, correct, recall, 'Done.');
      const { steps } = await generateText({ ...options, model, tools });
      expect(outputsOf(steps).at(-1)).toMatchObject({ memories: [{ name: 'drinks/ann' }] });
    }
    const memory = desk.agent.memory.in(scope);
    const holds = await memory.read({ name: 'drinks/ann' });
    const all = await memory.searchPage({ include_superseded: true }, { order: 'oldest' });
    expect(all.matches.map(({ record }) => record.payload.superseded_by)).toEqual([
      holds?.record_id,
      undefined,
    ]);
    expect(holds?.revision).toBe(1);
  });

  test('the same ids in another conversation are other calls', async () => {
    await using desk = await opened(way);
    for (const conversationId of ['one', 'two']) {
      const tools = memoryTools({ agent: desk.agent, scope, conversationId });
      await generateText({ ...options, model: scriptedModel(remember, 'Done.'), tools });
    }
    const record = await desk.agent.memory.in(scope).read({ name: 'customers/ann' });
    expect(record?.revision).toBe(2);
  });

  test('a refusal is shown to the model as the error of its call', async () => {
    await using desk = await opened(way);
    const elsewhere = { ...scope, project_id: 'elsewhere' };
    const tools: ToolSet = { ...memoryTools({ agent: desk.agent, scope: elsewhere }) };
    const model = scriptedModel(remember, 'I may not.');
    const { text, steps } = await generateText({ ...options, model, tools });
    expect(text).toBe('I may not.');
    expect(outputsOf(steps)).toEqual([expect.stringContaining('AgentkeepError')]);
  });

  test('the signal of the loop ends a call', async () => {
    await using desk = await opened(way);
    const tools = memoryTools({ agent: desk.agent, scope });
    const call = {
      toolCallId: 'c',
      messages: [],
      abortSignal: AbortSignal.abort(new Error('over')),
    };
    const calls: (() => unknown)[] = [
      () => tools.remember.execute?.({ text: 'x' }, call),
      () => tools.recall.execute?.({ query: 'word' }, call),
      () => tools.get_memory.execute?.({ name: 'x' }, call),
      () => tools.forget.execute?.({ name: 'x' }, call),
    ];
    for (const run of calls) await expect((async () => run())()).rejects.toThrow('over');
    expect((await desk.agent.memory.in(scope).queryPage()).records).toEqual([]);
  });
});
