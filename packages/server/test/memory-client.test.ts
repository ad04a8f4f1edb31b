/** The memory of an agent, in process and over HTTP: the same program with the same results. */
import { type Agent, openKeep, type ScopeInput, type SearchMatch } from '@agentkeep/core';
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
      expect(await all.in(scope).create(record, { idempotencyKey: 'one' })).toEqual(made);
      const recordId = made.record_id;
      const update = { ...record, tags: ['t'] };
      const changed = await memory.update({ recordId, expectedRevision: 1 }, update);
      expect(changed.revision).toBe(2);
      const read = await memory.read(recordId);
      expect(read).toEqual(await all.in(scope).read(recordId));
      expect((await memory.queryPage({ text_contains: 'SHORT', tag: 't' })).records).toEqual([
        read,
      ]);
      const found: unknown[] = [];
      for await (const each of memory.query({}, { limit: 1 })) found.push(each);
      expect(found).toEqual([read]);
      const deleted = await memory.delete({ recordId, expectedRevision: 2 });
      expect(deleted.action).toBe('deleted');
      expect((await memory.queryPage()).records).toEqual([]);
    }));

  test('a search walks through all pages, of one scope or several', () =>
    withAgent(async ({ memory: all }) => {
      const memory = all.in(scope);
      const ids: string[] = [];
      for (const primary of ['Green tea.', 'Coffee.', 'Green apples.']) {
        ids.push((await memory.create({ ...record, content: { primary } })).record_id);
      }
      const found = async (matches: AsyncIterable<SearchMatch>): Promise<string[]> => {
        const each: string[] = [];
        for await (const match of matches) each.push(match.record.record_id);
        return each;
      };
      const green = { words: { text: 'green' } };
      expect(await found(memory.search(green, { limit: 1 }))).toEqual([ids[2], ids[0]]);
      expect(await found(all.in(scope).search(green, { order: 'oldest' }))).toEqual([
        ids[0],
        ids[2],
      ]);
      expect(await found(memory.search({}, { limit: 2, order: 'newest_event' }))).toEqual(
        ids.toReversed(),
      );
      const page = await all.in(scope).searchPage(green, { limit: 1, highlights: true });
      expect(page.matches[0]?.highlights).toEqual([{ member: 'primary', from: 0, to: 5 }]);
      const rest = memory.search(green, { cursor: page.next_cursor ?? '' });
      expect(await found(rest)).toEqual([ids[0]]);
    }));

  test('a scope that is changed afterwards is still the one that was given', () =>
    withAgent(async ({ memory: all }) => {
      const changing: ScopeInput & { project_id: string } = { ...scope };
      const memory = all.in(changing);
      changing.project_id = 'elsewhere';
      await memory.create(record);
      expect(memory.scope).toEqual(scope);
      expect((await all.in(scope).queryPage()).records).toHaveLength(1);
    }));

  test('without a scope of its own, the only one of the credential is meant', () =>
    withAgent(async ({ memory }) => {
      const { record_id } = await memory.create(record);
      expect((await memory.in(scope).read(record_id)).revision).toBe(1);
      await memory.delete({ recordId: record_id, expectedRevision: 1 });
      expect((await memory.queryPage()).records).toEqual([]);
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

  test('a batch of a scope takes changes only, and names the one that is refused', () =>
    withAgent(async ({ memory: all }) => {
      const memory = all.in(scope);
      const put = { type: 'put', name: 'n', record } as const;
      const made = await memory.batch([put, { type: 'create', record }], { idempotencyKey: 'one' });
      expect(made.outcomes.map(({ action }) => action)).toEqual(['created', 'created']);
      const again = [
        { scope, operation: put },
        { scope, operation: { type: 'create', record } },
      ] as const;
      expect(await all.batch(again, { idempotencyKey: 'one' })).toEqual(made);
      const refused = memory.batch([put, { type: 'remove', name: 'absent' }]);
      await expect(refused).rejects.toMatchObject({
        code: 'record_not_found',
        members: [{ path: 'commands[1]', expected: 'a current record' }],
      });
      expect((await memory.read({ name: 'n' }))?.revision).toBe(1);
    }));

  test('any number of records is created in batches, and going on repeats none', () =>
    withAgent(async ({ memory: all }) => {
      const memory = all.in(scope);
      const records = Array.from({ length: 600 }, (_, index) => ({
        ...record,
        event_time_millis: index,
      }));
      const options = { idempotencyKey: 'import' };
      for await (const first of memory.createMany(records, options)) {
        expect(first.outcomes).toHaveLength(256);
        break;
      }
      const ids: string[] = [];
      async function* later() {
        yield* records;
      }
      for await (const { outcomes } of memory.createMany(later(), options)) {
        ids.push(...outcomes.map(({ record_id }) => record_id));
      }
      const found = await memory.queryPage({}, { limit: 1_000 });
      expect(found.records.map(({ record_id }) => record_id)).toEqual(ids);
      expect(found.records.map(({ payload }) => payload.event_time_millis)).toEqual(
        records.map(({ event_time_millis }) => event_time_millis),
      );
    }));

  test('large records are divided by their bytes', () =>
    withAgent(async ({ memory: all }) => {
      const large = { ...record, content: { primary: 'ü'.repeat(200_000) } };
      const sizes: number[] = [];
      for await (const { outcomes } of all.in(scope).createMany([large, large, large, large])) {
        sizes.push(outcomes.length);
      }
      expect(sizes).toEqual([2, 2]);
    }));
});
