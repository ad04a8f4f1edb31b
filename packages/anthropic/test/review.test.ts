/** The memory tool in a scope that requires review. */
import { expect, test } from 'vitest';
import { reviewedScope } from '@agentkeep/testkit/reviewed-scope';
import { AgentkeepMemory } from '../src/index.js';

test('REV-20 a command says that it waits for review, and changes no file', async () => {
  const { keep, agent, scope } = await reviewedScope();
  const memory = new AgentkeepMemory({ agent, scope });
  const path = '/memories/ann.md';
  const answer = await memory.create({ command: 'create', path, file_text: 'Prefers tea.' });
  expect(answer).toContain('waits for review');
  await expect(memory.view({ command: 'view', path })).rejects.toThrow('does not exist');
  await keep.close();
});
