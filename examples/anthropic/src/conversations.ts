/** Two conversations with Claude: it writes a file in the first, and reads it in the second. */
import { AgentkeepMemory } from '@agentkeep/anthropic';
import type { Keep, ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { standInApi } from './stand-in-api.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'kitchen', visibility: 'shared' };

/** Lets Claude answer, in a conversation that begins with these words. */
async function converse(keep: Keep, said: string): Promise<string> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'claude', scopes: [scope] });
  const client = new Anthropic({ apiKey: 'none', fetch: standInApi() });
  const message = await client.beta.messages.toolRunner({
    model: 'stand-in',
    max_tokens: 1_000,
    tools: [betaMemoryTool(new AgentkeepMemory({ agent, scope }))],
    messages: [{ role: 'user', content: said }],
  });
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Yields what is said. Each conversation opens the keep anew, and none sees another's messages. */
export async function* runConversations(open: () => Promise<Keep>): AsyncGenerator<string, void> {
  for (const said of ['Remember: Ann is allergic to nuts.', 'What should I know about Ann?']) {
    await using keep = await open();
    yield `user: ${said}`;
    yield `Claude: ${await converse(keep, said)}`;
  }
}
