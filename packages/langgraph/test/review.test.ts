/** The store in a scope that requires review. */
import { expect, test } from 'vitest';
import { reviewedScope } from '@agentkeep/testkit/reviewed-scope';
import { AgentkeepStore } from '../src/index.js';

test('REV-20 a put says that it waits for review, and stores nothing yet', async () => {
  const { keep, agent, scope } = await reviewedScope();
  const store = new AgentkeepStore(agent, { scope });
  await expect(store.put(['users'], 'ann', { drink: 'tea' })).rejects.toThrow('requires review');
  expect(await store.get(['users'], 'ann')).toBeNull();
  await keep.close();
});
