/**
 * How often calls of an agent wait for the database, as docs/scaling.md states it.
 */
import { type Agent, openKeep, type RecordInput, type ScopeInput } from '@agentkeep/core';
import { agentFor, bootstrapTenant } from '@agentkeep/core/operator';
import { DelayingRelay } from '@agentkeep/testkit/delaying-relay';
import { expect, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newTables } from './fixture.js';

const SCOPE: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const TRIES = 9;

function recordOf(primary: string): RecordInput {
  return { episode_type: 'Observation', content: { primary }, event_time_millis: 0 };
}

/**
 * Returns the fewest exchanges of several tries. Work in the background, such as storing audit
 * events, adds to some of them.
 */
async function exchangesOf(relay: DelayingRelay, call: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let at = 0; at < TRIES; at += 1) {
    const before = relay.exchanges;
    await call();
    counts.push(relay.exchanges - before);
    // The next call finds its connections free.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Math.min(...counts);
}

/** Runs parts of a test one after the other, each on a server of its own over the same tables. */
async function withAgents(
  ...parts: readonly ((agent: Agent, relay: DelayingRelay) => Promise<void>)[]
) {
  const options = newTables();
  await using relay = await DelayingRelay.before(options.url);
  for (const part of parts) {
    const store = postgresStore({ ...options, url: relay.urlOf(options.url) });
    await using keep = await openKeep({ store });
    if (part === parts[0]) await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    await part(await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [SCOPE] }), relay);
  }
}

test('a command and a read wait once, and a recall twice, however large the scope', async () => {
  await withAgents(async (agent, relay) => {
    const memory = agent.memory.in(SCOPE);
    const { record_id } = await memory.create(recordOf('green tea'));
    expect(await exchangesOf(relay, () => memory.create(recordOf('black tea')))).toBe(1);
    expect(await exchangesOf(relay, () => memory.read(record_id))).toBe(1);
    // Two of them are ends of transactions, which it does not wait for.
    expect(await exchangesOf(relay, () => memory.recall('green tea'))).toBe(4);
    for (let batch = 0; batch < 5; batch += 1) {
      const records = Array.from({ length: 250 }, (_, at) => recordOf(`rain ${String(at)}`));
      for await (const { outcomes } of memory.createMany(records))
        expect(outcomes).toHaveLength(250);
    }
    expect(await exchangesOf(relay, () => memory.recall('green tea'))).toBe(4);
  });
});

test('a page and a batch of records that a server never read wait a few times', async () => {
  const ids: string[] = [];
  const once = async (relay: DelayingRelay, call: () => Promise<unknown>): Promise<number> => {
    const before = relay.exchanges;
    await call();
    return relay.exchanges - before;
  };
  await withAgents(
    async (agent) => {
      const records = Array.from({ length: 250 }, (_, at) => recordOf(`rain ${String(at)}`));
      for await (const { outcomes } of agent.memory.in(SCOPE).createMany(records))
        for (const { record_id } of outcomes) ids.push(record_id);
    },
    async (agent, relay) => {
      const memory = agent.memory.in(SCOPE);
      expect(await once(relay, () => memory.searchPage({}, { limit: 100 }))).toBeLessThan(10);
    },
    async (agent, relay) => {
      const updates = ids.map((record_id) => ({
        ...{ type: 'update' as const, record_id, expected_revision: 1 },
        record: recordOf('snow'),
      }));
      expect(await once(relay, () => agent.memory.in(SCOPE).batch(updates))).toBeLessThan(10);
    },
  );
});

test('a page of audit events waits a few times, however many changes it shows', async () => {
  const options = newTables();
  await using relay = await DelayingRelay.before(options.url);
  const store = postgresStore({ ...options, url: relay.urlOf(options.url) });
  await using keep = await openKeep({ store });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  for (let at = 0; at < 40; at += 1) {
    await agentFor(keep, { tenantId: 'acme', subjectId: `s${String(at)}`, scopes: [SCOPE] });
  }
  const { audit } = await keep.authenticate(secret);
  const { events } = await audit.queryPage();
  expect(events.length).toBeGreaterThanOrEqual(40);
  expect(await exchangesOf(relay, () => audit.queryPage())).toBeLessThan(15);
  const filter = { eventType: events[0]!.event_type };
  expect((await audit.queryPage(filter)).events.length).toBeGreaterThanOrEqual(40);
  expect(await exchangesOf(relay, () => audit.queryPage(filter))).toBeLessThan(15);
});
