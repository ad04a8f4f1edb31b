/** Agents of three frameworks read what the others wrote, and one without a grant does not. */
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { openDesk } from '../src/desk.js';
import { runFrameworks } from '../src/run-frameworks.js';

test('what one framework stores, the others recall; a stranger is refused', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const desk = await openDesk(keep);
  const said: string[] = [];
  for await (const [name, text] of runFrameworks(desk)) said.push(`${name}: ${text}`);
  expect(said).toEqual([
    'Claude: I wrote down what Ann drinks.',
    'OpenAI agent: Thanks, I noted the new address of Ann.',
    'AI SDK: Ann drinks green tea.',
    'AI SDK: user: Ann moved to Lisbon.\nassistant: Thanks, I noted the new address of Ann.',
    'stranger: forbidden',
  ]);
});

test('the refusal is a 403 of the server', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const { server, strangerSecret } = await openDesk(keep);
  const query = new URLSearchParams({
    contract_version: '1',
    project_id: 'shop',
    agent_id: 'desk',
    visibility: 'shared',
    name: 'memories/customers/ann.md',
  });
  const response = await server.fetch!(
    `${String(server.url)}/api/v1/memory/records-by-name?${query.toString()}`,
    {
      headers: { Authorization: `Bearer ${strangerSecret}` },
    },
  );
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: { code: 'forbidden' } });
});
