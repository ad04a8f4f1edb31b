/** Sessions in a scope that requires review. */
import { expect, test } from 'vitest';
import { reviewedScope } from '@agentkeep/testkit/reviewed-scope';
import { AgentkeepSession } from '../src/index.js';

test('REV-20 a session says that it waits for review', async () => {
  const { keep, agent, scope } = await reviewedScope();
  const session = new AgentkeepSession({ agent, scope, sessionId: 's' });
  const item = { role: 'user' as const, content: 'Hello.' };
  await expect(session.addItems([item])).rejects.toThrow('requires review');
  expect(await session.getItems()).toEqual([]);
  await keep.close();
});
