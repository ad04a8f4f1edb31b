/** Sessions in a scope that requires review. */
import { expect, test } from 'vitest';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { AgentkeepSession } from '../src/index.js';

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

test('REV-20 a session says that it waits for review', async () => {
  const { keep, agent } = await setUp();
  const session = new AgentkeepSession({ agent, scope, sessionId: 's' });
  const item = { role: 'user' as const, content: 'Hello.' };
  await expect(session.addItems([item])).rejects.toThrow('requires review');
  expect(await session.getItems()).toEqual([]);
  await keep.close();
});
