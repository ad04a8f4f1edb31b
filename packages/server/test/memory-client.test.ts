/** The memory of an agent, in process and over HTTP: the same program with the same results. */
import { type Agent, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { connect } from '../src/client.js';
import { createServer } from '../src/http/create-server.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const content = { primary: 'The customer prefers short answers.' };
const record = { episode_type: 'Observation', content, event_time_millis: 0 } as const;

describe.each(['in process', 'over HTTP'])('%s', (way) => {
  async function withAgent(run: (agent: Agent) => Promise<void>): Promise<void> {
    await using keep = await openKeep({ store: testStore() });
    const helper = { tenantId: 'acme', subjectId: 'helper', scopes: [scope] };
    const agent = await agentFor(keep, helper);
    if (way === 'in process') {
      await run(agent);
      return;
    }
    const { id } = await agent.whoAmI();
    const capabilities = ['credential_admin'] as const;
    const boss = { ...helper, subjectId: 'boss', scopes: [], capabilities };
    const { secret } = await (await agentFor(keep, boss)).credentials.rotate(id, 1);
    await run(connect({ url: 'http://localhost', secret, fetch: createServer(keep).request }));
  }

  test('a scope that is given once goes with every call', () =>
    withAgent(async ({ memory: all }) => {
      const memory = all.in(scope);
      const made = await memory.create(record, { idempotencyKey: 'one' });
      expect(await memory.create(record, { idempotencyKey: 'one' })).toEqual(made);
      expect(await all.create(scope, record, { idempotencyKey: 'one' })).toEqual(made);
      const recordId = made.record_id;
      const update = { ...record, tags: ['t'] };
      const changed = await memory.update({ recordId, expectedRevision: 1 }, update);
      expect(changed.revision).toBe(2);
      const read = await memory.read(recordId);
      expect(read).toEqual(await all.read(scope, recordId));
      expect((await memory.queryPage({ textContains: 'SHORT', tag: 't' })).records).toEqual([read]);
      const found: unknown[] = [];
      for await (const each of memory.query({ limit: 1 })) found.push(each);
      expect(found).toEqual([read]);
      const deleted = await memory.delete({ recordId, expectedRevision: 2 });
      expect(deleted.action).toBe('deleted');
      expect((await memory.queryPage()).records).toEqual([]);
    }));

  test('a scope that is changed afterwards is still the one that was given', () =>
    withAgent(async ({ memory: all }) => {
      const changing: ScopeInput & { project_id: string } = { ...scope };
      const memory = all.in(changing);
      changing.project_id = 'elsewhere';
      await memory.create(record);
      expect(memory.scope).toEqual(scope);
      expect((await all.queryPage(scope)).records).toHaveLength(1);
    }));

  test('a command without a key gets a new one, which its receipt returns', () =>
    withAgent(async ({ memory: all }) => {
      const memory = all.in(scope);
      const [one, two] = [await memory.create(record), await memory.create(record)];
      expect(one.idempotency_key).toMatch(/^[0-9a-f-]{36}$/);
      expect(two.idempotency_key).not.toBe(one.idempotency_key);
      expect(two.record_id).not.toBe(one.record_id);
      expect(await memory.create(record, { idempotencyKey: one.idempotency_key })).toEqual(one);
    }));
});
