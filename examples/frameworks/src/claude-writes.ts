/** Claude writes a memory file, by the tool runner of the Anthropic SDK. */
import type { Agent } from '@agentkeep/client';
import { AgentkeepMemory } from '@agentkeep/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { shared } from './desk.js';

/** The path of the file. */
export const PATH = '/memories/customers/ann.md';

/** The calls that a model would make when it learns about the customer. */
const script = [
  [
    {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'memory',
      input: { command: 'create', path: PATH, file_text: 'Ann drinks green tea.' },
    },
  ],
  [{ type: 'text', text: 'I wrote down what Ann drinks.' }],
];

/** Stands in for the API. */
function scriptedApi(): typeof globalThis.fetch {
  let at = 0;
  return () => {
    const content = script[at] ?? [];
    at += 1;
    const isOver = at === script.length;
    return Promise.resolve(
      Response.json({
        id: `msg_${at}`,
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content,
        stop_reason: isOver ? 'end_turn' : 'tool_use',
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      }),
    );
  };
}

/** Lets Claude work; returns its last words. */
export async function claudeWrites(agent: Agent): Promise<string> {
  const client = new Anthropic({ apiKey: 'none', fetch: scriptedApi() });
  const message = await client.beta.messages.toolRunner({
    model: 'scripted',
    max_tokens: 1_000,
    tools: [betaMemoryTool(new AgentkeepMemory({ agent, scope: shared }))],
    messages: [{ role: 'user', content: 'Ann always orders green tea. Remember that.' }],
  });
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
