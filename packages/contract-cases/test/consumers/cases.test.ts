/** Consumers of the change feed (docs/contract/consumers.md#cns-1). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { record, scope, sharedScope, ungranted } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const version = { contract_version: 1 };

const claim = (agent: Caller, holder: unknown, members: Members = {}, id: unknown = 'nightly') =>
  agent.call('claimConsumer', { id, document: { ...version, holder, ...members } });
const read = (agent: Caller, holder: string, members: Members = {}) =>
  agent.call('readConsumer', { id: 'nightly', document: { ...version, holder, ...members } });
const commit = (agent: Caller, holder: string, cursor: string) =>
  agent.call('commitConsumer', { id: 'nightly', document: { ...version, holder, cursor } });
const release = (agent: Caller, holder: string) =>
  agent.call('releaseConsumer', { id: 'nightly', document: { ...version, holder } });
const list = async (agent: Caller) =>
  result(await agent.call('listConsumers', { parameters: version })).consumers;
const remove = (agent: Caller, id = 'nightly') =>
  agent.call('deleteConsumer', { id, parameters: version });

async function made(agent: Caller, count: number, of: Members = scope): Promise<string[]> {
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 1) ids.push(await agent.created(of, record({})));
  return ids;
}

/**
 * Reads and commits pages to the end, and on until there were `least` changes: a page does not wait
 * long for commits of others (CHG-22). Returns the ids of the changed records.
 */
async function consumed(agent: Caller, holder: string, least = 0, limit = 2): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { page } = result(await read(agent, holder, { limit }));
    expect(page.changes.length).toBeLessThanOrEqual(limit);
    ids.push(...page.changes.map(({ record_id }) => record_id));
    result(await commit(agent, holder, page.next_after));
    if (!page.has_more && ids.length >= least) return ids;
  }
}

describe('consumers', () => {
  // CNS-2, CNS-3, CNS-4, CNS-17
  testCase('CNS-C1 go on where they were committed', async (t) => {
    const agent = await t.agent();
    const first = await made(agent, 5);
    const { consumer } = result(await claim(agent, 'one'));
    expect(consumer).toMatchObject({
      name: 'nightly',
      scope: null,
      committed_at_millis: null,
      lease: { holder: 'one', until_millis: t.clock.now() + 60_000 },
    });
    expect(await consumed(agent, 'one', first.length)).toEqual(first);
    result(await release(agent, 'another'));
    expect(outcome(await claim(agent, 'two'))).toBe('409 consumer_held');
    expect(result(await release(agent, 'one')).consumer.lease).toBeNull();
    const then = await made(agent, 3);
    result(await claim(agent, 'two', { lease_seconds: 5 }));
    expect(await consumed(agent, 'two', then.length)).toEqual(then);
  });

  testCase('CNS-C2 have one holder at a time', async (t) => {
    const agent = await t.agent();
    await made(agent, 1);
    result(await claim(agent, 'one', { lease_seconds: 10 }));
    const { page } = result(await read(agent, 'one'));
    expect(outcome(await claim(agent, 'two'))).toBe('409 consumer_held');
    const [{ lease } = {}] = await list(agent);
    expect(lease).toEqual({ holder: 'one', until_millis: t.clock.now() + 10_000 });
    t.clock.advance(9_999);
    result(await claim(agent, 'one', { lease_seconds: 10 }));
    t.clock.advance(9_999);
    expect(outcome(await claim(agent, 'two'))).toBe('409 consumer_held');
    t.clock.advance(1);
    result(await read(agent, 'one'));
    result(await claim(agent, 'two'));
    expect(outcome(await read(agent, 'one'))).toBe('409 consumer_not_held');
    expect(outcome(await commit(agent, 'one', page.next_after))).toBe('409 consumer_not_held');
    expect(outcome(await claim(agent, 'one'))).toBe('409 consumer_held');
    result(await commit(agent, 'two', page.next_after));
  });

  testCase('CNS-C3 read the same page until it is committed', async (t) => {
    const agent = await t.agent();
    const first = await made(agent, 2);
    result(await claim(agent, 'one'));
    const page = result(await read(agent, 'one', { limit: 3 }));
    const others = await made(agent, 2);
    const again = result(await read(agent, 'one', { limit: 1 }));
    t.clock.advance(60_000);
    result(await claim(agent, 'two'));
    const taken = result(await read(agent, 'two', { limit: 200 }));
    for (const each of [page, again, taken]) {
      expect(each.page.changes.map(({ record_id }) => record_id)).toEqual(first);
      expect(each.page_id).toBe(page.page_id);
    }
    result(await commit(agent, 'two', taken.page.next_after));
    const next = result(await read(agent, 'two'));
    expect(next.page.changes.map(({ record_id }) => record_id)).toEqual(others);
    expect(next.page_id).not.toBe(page.page_id);
    const cursor = next.page.changes[0]?.cursor ?? '';
    result(await commit(agent, 'two', cursor));
    const rest = result(await read(agent, 'two')).page.changes;
    expect(rest.map(({ record_id }) => record_id)).toEqual(others.slice(1));
  });

  testCase('CNS-C4 never go back, and take cursors of the feed only', async (t) => {
    const agent = await t.agent();
    await made(agent, 2);
    result(await claim(agent, 'one'));
    const { page } = result(await read(agent, 'one', { limit: 1 }));
    const start = page.changes[0]?.cursor ?? '';
    await consumed(agent, 'one');
    result(await commit(agent, 'one', start));
    expect(result(await read(agent, 'one')).page.changes).toEqual([]);
    const broken = await commit(agent, 'one', `${start.slice(0, -1)}!`);
    expect(outcome(broken)).toBe(refused.invalid);
    expect(broken.body).toMatchObject({ error: { members: [{ path: 'cursor' }] } });
    const other = await t.foreignAdmin();
    const reader = await other.appoint({
      subject_id: 's',
      capabilities: ['memory_read'],
      grants: [],
    });
    result(await claim(reader, 'one'));
    expect(outcome(await commit(reader, 'one', start))).toBe(refused.invalid);
  });

  testCase('CNS-C5 show what their subject may read', async (t) => {
    const agent = await t.agent();
    await made(agent, 1);
    result(await claim(agent, 'one', { start: 'latest', scope: sharedScope }));
    await made(agent, 1);
    const shared = await made(agent, 1, sharedScope);
    expect(await consumed(agent, 'one', shared.length)).toEqual(shared);
    expect(outcome(await claim(agent, 'one', { scope }))).toBe('409 idempotency_conflict');
    expect(outcome(await claim(agent, 'one', { scope: ungranted }))).toBe('403 forbidden');
    const bob = await t.agent({ subject_id: 'bob' });
    expect(outcome(await read(bob, 'one'))).toBe('404 not_found');
    expect(outcome(await remove(bob))).toBe('404 not_found');
    expect(await list(bob)).toEqual([]);
    const second = await t.agent();
    expect((await list(second)).map(({ name }) => name)).toEqual(['nightly']);
    const writer = await t.agent({ capabilities: ['memory_write'] });
    expect(outcome(await claim(writer, 'one'))).toBe('403 forbidden');
  });

  // CNS-5, CNS-6
  testCase('CNS-C6 are bounded, listed, restarted and deleted', async (t) => {
    const agent = await t.agent();
    const ids = await made(agent, 2);
    const names = Array.from({ length: 32 }, (_, index) => `c${String(index).padStart(2, '0')}`);
    for (const name of names.toReversed()) result(await claim(agent, 'one', {}, name));
    expect(outcome(await claim(agent, 'one'))).toBe('409 consumer_limit');
    expect((await list(agent)).map(({ name }) => name)).toEqual(names);
    result(await remove(agent, 'c00'));
    expect(outcome(await remove(agent, 'c00'))).toBe('404 not_found');
    result(await claim(agent, 'one'));
    expect(await consumed(agent, 'one', ids.length)).toEqual(ids);
    result(await claim(agent, 'one', { restart: true }));
    expect(await consumed(agent, 'one', ids.length)).toEqual(ids);
  });

  testCase('CNS-C7 are named in the audit log when they change', async (t) => {
    const agent = await t.agent();
    result(await claim(agent, 'one'));
    result(await claim(agent, 'one'));
    result(await claim(agent, 'one', { restart: true }));
    result(await remove(agent));
    const parameters = { event_type: 'configuration_changed' };
    const answer = result(await t.admin.call('queryAuditLogs', { parameters }));
    const { events } = answer as {
      events: { resource: string; metadata?: Record<string, unknown> }[];
    };
    const seen = events
      .filter(({ resource }) => resource === 'consumer:nightly')
      .map(({ metadata }) => [metadata?.['change'], metadata?.['subject_id']]);
    expect(seen.toSorted()).toEqual([
      ['created', 'alice'],
      ['deleted', 'alice'],
      ['restarted', 'alice'],
    ]);
  });

  testCase('CNS-C8 refuse what is out of range', async (t) => {
    const agent = await t.agent();
    for (const lease_seconds of [0, 3_601]) {
      expect(outcome(await claim(agent, 'one', { lease_seconds }))).toBe(refused.invalid);
    }
    expect(outcome(await claim(agent, ' '))).toBe(refused.invalid);
    expect(outcome(await claim(agent, 'one', {}, ' '))).toBe(refused.invalid);
  });
});
