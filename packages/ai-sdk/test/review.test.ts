/** The memory tools in a scope that requires review. */
import { expect, test } from 'vitest';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { memoryTools } from '../src/index.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

/** Opens a keep in which the scope requires review, and an agent that writes there. */
async function setUp() {
  const keep = await openKeep({ store: testStore() });
  const of = { tenantId: 'acme', scopes: [scope] };
  const capabilities = ['credential_admin'] as const;
  const admin = await agentFor(keep, { ...of, subjectId: 'ops', capabilities });
  await admin.retention.set({ scope, expectedRevision: 0, review: 'required' }, {});
  const agent = await agentFor(keep, { ...of, subjectId: 'helper' });
  return { keep, agent };
}

test('REV-20 a tool says that its write waits for review', async () => {
  const { keep, agent } = await setUp();
  const { remember } = memoryTools({ agent, scope, conversationId: 'c' });
  const options = { toolCallId: 't', messages: [] };
  const answer = await remember.execute?.({ text: 'Ann likes tea.', name: 'drink' }, options);
  expect(answer).toMatchObject({ note: expect.stringContaining('waits for review') as string });
  expect(await agent.memory.in(scope).read({ name: 'drink' })).toBeUndefined();
  await keep.close();
});
