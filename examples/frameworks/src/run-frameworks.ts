/** The story: two agents store, a third one recalls, and a stranger is refused. */
import { AgentkeepMemory } from '@agentkeep/anthropic';
import { AgentkeepError } from '@agentkeep/client';
import { aiSdkAnswers } from './ai-sdk-answers.js';
import { claudeWrites, PATH } from './claude-writes.js';
import { type Desk, shared } from './desk.js';
import { openAiTalks } from './openai-talks.js';

/** Yields what each agent says. */
export async function* runFrameworks(desk: Desk): AsyncGenerator<readonly [string, string], void> {
  yield ['Claude', await claudeWrites(desk.claude)];
  yield ['OpenAI agent', await openAiTalks(desk.openai)];
  yield ['AI SDK', await aiSdkAnswers(desk.aiSdk, 'Which tea does Ann drink?')];
  yield ['AI SDK', await aiSdkAnswers(desk.aiSdk, 'Who moved to Lisbon?')];
  const files = new AgentkeepMemory({ agent: desk.stranger, scope: shared });
  try {
    yield ['stranger', await files.execute({ command: 'view', path: PATH })];
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    yield ['stranger', error.code];
  }
}
