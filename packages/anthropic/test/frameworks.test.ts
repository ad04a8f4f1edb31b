/** One handler in the tool loops of three frameworks, which call a stand-in for the API. */
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { ChatAnthropic, tools } from '@langchain/anthropic';
import { HumanMessage } from '@langchain/core/messages';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { describe, expect, test } from 'vitest';
import { AgentkeepMemory } from '../src/index.js';
import { lastResult, scripted, type Script, type ScriptedPart } from './stub-fetch.js';
import { opened, scope, ways } from './two-ways.js';

const asked = 'Remember that Ann prefers tea.';

const use = (id: string, input: object): ScriptedPart[] => [
  { type: 'tool_use', id, name: 'memory', input },
];

const view = { command: 'view', path: '/memories' };
const missing = { command: 'view', path: '/memories/bob.md' };
const file = { command: 'create', path: '/memories/ann.md', file_text: 'Ann prefers tea.' };

const script = (): Script =>
  scripted([
    use('t1', file),
    use('t2', view),
    use('t3', missing),
    [{ type: 'text', text: 'I will remember.' }],
  ]);

/** The loops; each returns the last text of the model. */
const loops: Record<string, (memory: AgentkeepMemory, played: Script) => Promise<string>> = {
  'Anthropic SDK': async (memory, { fetch }) => {
    const client = new Anthropic({ apiKey: 'key', fetch, maxRetries: 0 });
    const message = await client.beta.messages.toolRunner({
      model: 'claude-test',
      max_tokens: 100,
      messages: [{ role: 'user', content: asked }],
      tools: [betaMemoryTool(memory)],
    });
    return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  },
  'AI SDK': async (memory, { fetch }) => {
    const anthropic = createAnthropic({ apiKey: 'key', baseURL: 'http://test/v1', fetch });
    const { text } = await generateText({
      model: anthropic('claude-test'),
      prompt: asked,
      tools: { memory: anthropic.tools.memory_20250818({ execute: memory.execute }) } as ToolSet,
      stopWhen: stepCountIs(5),
      maxOutputTokens: 100,
      maxRetries: 0,
    });
    return text;
  },
  LangChain: async (memory, { fetch }) => {
    const memoryTool = tools.memory_20250818({ execute: memory.execute });
    const clientOptions = { fetch, maxRetries: 0 };
    const model = new ChatAnthropic({
      model: 'claude-test',
      apiKey: 'key',
      maxRetries: 0,
      clientOptions,
    }).bindTools([memoryTool]);
    const messages: Parameters<typeof model.invoke>[0] & unknown[] = [new HumanMessage(asked)];
    for (;;) {
      const answer = await model.invoke(messages);
      messages.push(answer);
      const calls = answer.tool_calls ?? [];
      if (calls.length === 0) return answer.text;
      for (const call of calls) {
        const result: unknown = await memoryTool
          .invoke({ ...call, type: 'tool_call' })
          .catch((error: unknown) => ({
            role: 'tool',
            content: String(error),
            tool_call_id: call.id,
          }));
        messages.push(result as (typeof messages)[number]);
      }
    }
  },
};

describe.each(ways)('the memory tool in tool loops, %s', (way) => {
  test.each(Object.entries(loops))('%s', async (_name, loop) => {
    await using desk = await opened(way);
    const memory = new AgentkeepMemory({ agent: desk.agent, scope });
    const played = script();
    expect(await loop(memory, played)).toBe('I will remember.');
    const [first, second, third, fourth] = played.sent;
    expect(first?.tools).toMatchObject([{ type: 'memory_20250818', name: 'memory' }]);
    const created = 'File created successfully at: /memories/ann.md';
    expect(lastResult(second!).text).toContain(created);
    expect(lastResult(third!).text).toContain('16B\t/memories/ann.md');
    expect(lastResult(fourth!).text).toContain('/memories/bob.md does not exist');
    const record = await desk.agent.memory.in(scope).read({ name: 'memories/ann.md' });
    expect(record?.payload.content.primary).toBe('Ann prefers tea.');
  });
});
