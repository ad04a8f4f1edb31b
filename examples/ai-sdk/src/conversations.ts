/** Two conversations with a model: it remembers in the first, and knows in the second. */
import { memoryTools, withMemory } from '@agentkeep/ai-sdk';
import type { Keep, ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { generateText, stepCountIs, wrapLanguageModel } from 'ai';
import { standInModel } from './stand-in-model.js';

const scope: ScopeInput = { project_id: 'office', agent_id: 'guide', visibility: 'private' };

/** Lets the model answer, in a conversation that consists of these words. */
async function converse(keep: Keep, said: string): Promise<string> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  const { remember, forget } = memoryTools({ agent, scope });
  const { text } = await generateText({
    model: wrapLanguageModel({ model: standInModel(), middleware: withMemory({ agent, scope }) }),
    tools: { remember, forget },
    stopWhen: stepCountIs(3),
    prompt: said,
  });
  return text;
}

const conversations = [
  'Remember: The lab closes at six on Fridays.',
  'When does the lab close on Fridays?',
  'Who repairs printers?',
];

/** Yields what is said. Each conversation opens the keep anew, and none sees another's messages. */
export async function* runConversations(open: () => Promise<Keep>): AsyncGenerator<string, void> {
  for (const said of conversations) {
    await using keep = await open();
    yield `user: ${said}`;
    yield `model: ${await converse(keep, said)}`;
  }
}
