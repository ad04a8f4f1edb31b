/** The clerk reacts to each change of the scout, also after it was away. */
import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { type ClerkState, runClerk } from '../src/run-clerk.js';
import { learn } from '../src/scout.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'desk', visibility: 'shared' };

/** Lets the clerk work until it has seen a change with this action. Returns what it saw. */
async function workUntil(
  memory: Parameters<typeof runClerk>[0],
  state: ClerkState,
  last: string,
): Promise<string[]> {
  const over = new AbortController();
  const seen: string[] = [];
  await runClerk(
    memory,
    state,
    ({ action, record_id }) => {
      seen.push(`${action} ${state.greetings.get(record_id) ?? '-'}`);
      if (action === last) over.abort();
    },
    over.signal,
  );
  return seen;
}

test('the clerk follows what the scout learns, and goes on where it stopped', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const scout = await agentFor(keep, { tenantId: 'acme', subjectId: 'scout', scopes: [scope] });
  const clerk = await agentFor(keep, { tenantId: 'acme', subjectId: 'clerk', scopes: [scope] });
  const [learned, memory] = [learn(scout.memory.in(scope)), clerk.memory.in(scope)];
  const state: ClerkState = { greetings: new Map() };
  await learned.next();
  const working = workUntil(memory, state, 'updated');
  while (state.cursor === undefined) await new Promise((resolve) => setImmediate(resolve));
  expect([...state.greetings.values()]).toEqual(['Hello']);
  await learned.next();
  expect(await working).toEqual(['updated Bonjour']);
  await learned.next();
  expect(await workUntil(memory, state, 'deleted')).toEqual(['deleted -']);
  expect(state.greetings.size).toBe(0);
});
