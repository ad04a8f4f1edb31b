/** The memory tools in a scope that requires review. */
import { expect, test } from 'vitest';
import { reviewedScope } from '@agentkeep/testkit/reviewed-scope';
import { memoryTools } from '../src/index.js';

test('REV-20 a tool says that its write waits for review', async () => {
  const { keep, agent, scope } = await reviewedScope();
  const { remember } = memoryTools({ agent, scope, conversationId: 'c' });
  const options = { toolCallId: 't', messages: [] };
  const answer = await remember.execute?.({ text: 'Ann likes tea.', name: 'drink' }, options);
  expect(answer).toMatchObject({ note: expect.stringContaining('waits for review') as string });
  expect(await agent.memory.in(scope).read({ name: 'drink' })).toBeUndefined();
  await keep.close();
});
