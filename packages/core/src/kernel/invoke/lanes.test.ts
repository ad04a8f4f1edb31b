/**
 * A store whose reads never wait answers a call at once. Outcomes and audit events are those of a
 * store whose reads wait.
 */
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.js';
import type { Agent } from '../../client/agent.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { type Keep, runtimeOf } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { bootstrapTenant } from '../../operator.js';
import { operations } from '../../domains.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { Store } from '../../storage/store/store.js';
import { embeddedInput } from '../input/input.js';

const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const OTHER = { ...SCOPE, agent_id: 'b' };
const UNKNOWN = '01934f2a-7c1b-7000-8000-000000000001';
const RECORD = {
  episode_type: 'Observation',
  content: { primary: 'x' },
  event_time_millis: 0,
} as const;

/** A store whose reads take a turn. */
const waits = (store: Store): Store =>
  storeOver(store, { read: (body) => Promise.resolve().then(() => store.read(body)) });

const keeps: Keep[] = [];
afterEach(async () => {
  for (const keep of keeps.splice(0)) await keep.close();
});

/** Makes the same calls on a new keep over a store, and returns their results. */
async function story(store: Store) {
  const keep = await openKeep({ store, clock: new ManualClock(), audit: { reads: true } });
  keeps.push(keep);
  const tenant = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(tenant.secret);
  const { secret, credential } = await admin.credentials.issue({
    subject_id: 'alice',
    capabilities: ['memory_read', 'memory_write'],
    grants: [SCOPE],
  });
  const agent = await keep.authenticate(secret);
  const outcomes: string[] = [];
  const note = async (work: () => Promise<unknown>): Promise<void> => {
    outcomes.push(await work().then(() => 'ok', nameOf));
  };
  const { record_id: id } = await agent.memory.in(SCOPE).create(RECORD);
  const stop = AbortSignal.abort(new RangeError('left'));
  const proof = { kind: 'bearer', token: secret } as const;
  for (const end of [() => Promise.resolve(), () => admin.credentials.revoke(credential.id, 1)]) {
    await end();
    await note(() => agent.whoAmI());
    await note(() => agent.memory.in(SCOPE).read(id));
    await note(() => agent.memory.in(SCOPE).read(UNKNOWN));
    await note(() => agent.memory.in(SCOPE).read('no id'));
    await note(() => agent.memory.in(OTHER).read(id));
    await note(() => agent.memory.in(SCOPE).queryPage());
    await note(() => agent.memory.in(SCOPE).queryPage({}, { signal: stop }));
    await note(() => agent.memory.in(SCOPE).update({ recordId: id, expectedRevision: 9 }, RECORD));
    await note(() => agent.audit.queryPage());
    await note(() => keep.authenticate(secret));
    await note(() => keep.invoke(operations.whoAmI, embeddedInput({}), { proof }));
    await note(() => keep.invoke(operations.whoAmI, embeddedInput({}), {}));
    await note(() =>
      keep.invoke(operations.listApiKeys, embeddedInput({ parameters: {} }), { proof }),
    );
    await note(() => keep.invoke(operations.queryMemory, late({ scope: SCOPE }), { proof }));
    await note(() => keep.invoke(operations.whoAmI, embeddedInput({}), { proof, countRequest }));
  }
  await runtimeOf(keep).audit.flush();
  return { outcomes, events: await eventsOf(admin) };
}

/** A document that arrives later. */
function late(document: object) {
  return { document: () => Promise.resolve({ value: { contract_version: 1, ...document } }) };
}

function countRequest(): never {
  throw new AgentkeepError('rate_limit_exceeded');
}

function nameOf(error: unknown): string {
  return error instanceof AgentkeepError ? error.code : String(error);
}

async function eventsOf(admin: Agent): Promise<string[]> {
  const events: string[] = [];
  for await (const { event_type, result, action } of admin.audit.query()) {
    events.push(`${event_type} ${action} ${result}`);
  }
  return events;
}

test('both lanes give the same outcomes and the same audit events', async () => {
  const atOnce = await story(inMemoryStore());
  const waiting = await story(waits(inMemoryStore()));
  expect(atOnce).toEqual(waiting);
  expect(new Set(atOnce.outcomes).size).toBeGreaterThan(5);
  expect(atOnce.events.length).toBeGreaterThan(10);
});
