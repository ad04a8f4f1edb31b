/**
 * Random receivers that fail, that take a message and say that they did not, and servers that end
 * in the middle: each change arrives, and first arrivals are in the order of the feed.
 */
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { openKeep, type ScopeInput, type WebhookAnswer } from '../../index.js';
import { agentFor } from '../../operator.js';
import { runtimeOf } from '../../keep/keep.js';
import type { Transactions } from '../../storage/store/store.js';
import { ManualClock, quickPasswords } from '../../testing.js';
import { WebhookDeliverer } from './webhook-deliverer.js';

const scopes: ScopeInput[] = ['p', 'q'].map((project_id) => ({
  project_id,
  agent_id: 'a',
  visibility: 'shared',
}));
const record = {
  episode_type: 'Observation' as const,
  content: { primary: 'x' },
  event_time_millis: 0,
};

/** What a receiver does with a message. `lies`: it takes it, and says that it failed. */
const behaviours = ['takes', 'fails', 'lies', 'hangs'] as const;

const step = fc.oneof(
  fc.record({
    type: fc.constant('changes' as const),
    count: fc.integer({ min: 1, max: 130 }),
    scope: fc.nat({ max: 1 }),
  }),
  fc.record({
    type: fc.constant('deliver' as const),
    server: fc.nat({ max: 1 }),
    behaviours: fc.array(fc.constantFrom(...behaviours), { maxLength: 4 }),
  }),
  fc.record({ type: fc.constant('time' as const), minutes: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ type: fc.constant('restart' as const), server: fc.nat({ max: 1 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('HOK-21 every wanted change arrives, first arrivals in order', async () => {
  const steps = fc.array(step, { maxLength: 14 });
  await fc.assert(fc.asyncProperty(steps, fc.boolean(), runHistory), {
    seed: inject('seed'),
    numRuns: 25,
  });
});

async function runHistory(steps: readonly Step[], wantsAll: boolean): Promise<void> {
  const store = testStore();
  const clock = new ManualClock();
  await using keep = await openKeep({ store, clock, passwords: quickPasswords });
  const agent = await agentFor(keep, {
    tenantId: 'acme',
    subjectId: 'ops',
    scopes,
    capabilities: ['memory_read', 'memory_write', 'credential_admin'],
  });
  const wanted = scopes.slice(0, 1);
  await agent.webhooks.create({
    name: 'a',
    url: 'https://hooks.example.com',
    scopes: wantsAll ? null : wanted,
  });
  const plan: (typeof behaviours)[number][] = [];
  const arrived: string[] = [];
  const take = (body: string): void => {
    const { data } = JSON.parse(body) as { data: { changes: { record_id: string }[] } };
    for (const { record_id } of data.changes)
      if (!arrived.includes(record_id)) arrived.push(record_id);
  };
  const send = ({ body }: { body: string }): Promise<WebhookAnswer> => {
    const behaviour = plan.shift() ?? 'takes';
    if (behaviour === 'takes' || behaviour === 'lies') take(body);
    if (behaviour === 'hangs') return Promise.resolve({ kind: 'failed', reason: 'timeout' });
    const status = behaviour === 'takes' ? 200 : 503;
    return Promise.resolve({ kind: 'answered', status, retryAfterMs: null });
  };
  const { entropy, newId } = runtimeOf(keep);
  const shared: Transactions = {
    isShared: true,
    read: (body) => store.read(body),
    transact: (body) => store.transact(body),
  };
  let opened = 0;
  const server = (): WebhookDeliverer => {
    opened += 1;
    const holder = `server ${String(opened)}`;
    const ports = { store: shared, backend: store, clock, entropy, newId };
    return new WebhookDeliverer({ ...ports, holder, sender: { send } });
  };
  const servers = [server(), server()];
  const made: string[] = [];
  for (const each of steps) {
    if (each.type === 'changes') {
      const scope = scopes[each.scope]!;
      for (let count = 0; count < each.count; count += 1) {
        const { record_id } = await agent.memory.in(scope).create(record);
        if (wantsAll || each.scope === 0) made.push(record_id);
      }
    } else if (each.type === 'deliver') {
      plan.splice(0, Infinity, ...each.behaviours);
      await servers[each.server]?.settled();
    } else if (each.type === 'time') {
      clock.advance(each.minutes * 60_000);
    } else {
      await servers[each.server]?.stop();
      servers[each.server] = server();
    }
  }
  plan.splice(0, Infinity);
  clock.advance(2 * 3_600_000);
  await servers[0]?.settled();
  expect(arrived).toEqual(made);
  for (const each of servers) await each.stop();
}
