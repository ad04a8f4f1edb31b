/** The memory tool in a scope that requires review. */
import { expect, test } from 'vitest';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { AgentkeepMemory } from '../src/index.js';

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

test('REV-20 a command says that it waits for review, and changes no file', async () => {
  const { keep, agent } = await setUp();
  const memory = new AgentkeepMemory({ agent, scope });
  const path = '/memories/ann.md';
  const answer = await memory.create({ command: 'create', path, file_text: 'Prefers tea.' });
  expect(answer).toContain('waits for review');
  await expect(memory.view({ command: 'view', path })).rejects.toThrow('does not exist');
  await keep.close();
});
