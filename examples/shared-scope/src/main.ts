/** Runs both agents in a temporary directory, and prints what the clerk does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { type ClerkState, runClerk, startOver } from './run-clerk.js';
import { learn } from './scout.js';

const scope: ScopeInput = { project_id: 'shop', agent_id: 'desk', visibility: 'shared' };
const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-shared-scope-'));
try {
  await using keep = await openKeep({ dataDir });
  const scout = await agentFor(keep, { tenantId: 'acme', subjectId: 'scout', scopes: [scope] });
  const clerk = await agentFor(keep, { tenantId: 'acme', subjectId: 'clerk', scopes: [scope] });
  const state: ClerkState = { greetings: new Map() };
  // What the scout learns from here on is a change to the clerk.
  state.cursor = await startOver(clerk.memory.in(scope), state);
  const over = new AbortController();
  let changes = 0;
  const working = runClerk(
    clerk.memory.in(scope),
    state,
    ({ action, record_id }) => {
      console.log(`clerk: ${action}, now ${state.greetings.get(record_id) ?? 'no greeting'}`);
      changes += 1;
      if (changes === 3) over.abort();
    },
    over.signal,
  );
  for await (const text of learn(scout.memory.in(scope))) console.log(`scout: ${text}`);
  await working;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
