/**
 * Queries of the audit log (docs/contract/audit.md#aud-65), on both paths: queryAuditLogs and
 * queryAudit.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentkeepError, type AuditPage, openKeep } from '@agentkeep/core';
import { bootstrapTenant, verifyAudit } from '@agentkeep/core/operator';
import { storeOver } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { outcome } from '../harness/answer.js';
import { type AuditFixture, auditFixture } from './audit-fixture.js';

const paths = ['/api/v1/audit-logs', '/api/v1/audit'];

/** Issues credentials one second apart, so that their events can be identified. */
async function issueSome(t: AuditFixture, count: number): Promise<string[]> {
  const admin = await t.keep.authenticate(t.secret);
  const times: string[] = [];
  for (let index = 0; index < count; index += 1) {
    t.clock.advance(1_000);
    times.push(new Date(t.clock.now()).toISOString());
    const spec = { subject_id: `s${index}`, capabilities: ['memory_read'], grants: [] } as const;
    await admin.credentials.issue({ ...spec, capabilities: ['memory_read'], grants: [] });
  }
  return times;
}

const changes = 'event_type=configuration_changed';

describe.each(paths)('%s', (path) => {
  test('is the same query with its defaults', async () => {
    await using t = await auditFixture();
    const { status, body } = await t.send('GET', path);
    const { events, ...rest } = body as AuditPage;
    expect([status, rest]).toEqual([200, { count: 1, limit: 100, next_cursor: null }]);
    expect(events[0]?.event_type).toBe('configuration_changed');
  });

  test('AUD-23, SES-28 refuses in the order of proof, role, parameters, tenant', async () => {
    await using t = await auditFixture();
    const admin = await t.keep.authenticate(t.secret);
    const agent = await admin.credentials.issue({
      subject_id: 'alice',
      capabilities: ['memory_read'],
      grants: [],
    });
    const bad = `${path}?limit=x&tenant_id=other`;
    expect(outcome(await t.sendBare(bad, {}))).toBe('401 unauthorized');
    const proof = { Authorization: `Bearer ${agent.secret}` };
    expect(outcome(await t.send('GET', bad, proof))).toBe('403 forbidden');
    expect(outcome(await t.send('GET', bad))).toBe('400 invalid_request');
    expect(outcome(await t.send('GET', `${path}?tenant_id=other`))).toBe('403 forbidden');
    expect(outcome(await t.send('GET', `${path}?tenant_id=acme`))).toBe('200');
    expect(outcome(await t.send('POST', path))).toBe('405 method_not_allowed');
  });

  test.each([
    'event_type=nothing',
    'event_type=',
    'result=ok',
    'limit=-1',
    'limit=1.5',
    'limit=1e3',
    'limit=',
    'start_time=yesterday',
    'start_time=2030-01-01',
    'end_time=2030-01-01T00:00:00',
    'end_time=2030-02-30T00:00:00Z',
    'cursor=broken',
    'cursor=',
    'colour=red',
    'limit=1&limit=1',
    'contract_version=1',
  ])('AUD-C50 refuses %s', async (query) => {
    await using t = await auditFixture();
    expect(outcome(await t.send('GET', `${path}?${query}`))).toBe('400 invalid_request');
  });
});

test('AUD-C49 time bounds are inclusive, and each can be used alone', async () => {
  await using t = await auditFixture();
  const [one, two, three] = await issueSome(t, 3);
  const found = async (query: string): Promise<string[]> =>
    (await t.events(`${changes}&${query}`)).map(({ timestamp }) => timestamp);
  expect(await found(`start_time=${two}`)).toEqual([three, two]);
  expect(await found(`end_time=${one}`)).toEqual([one, '2030-01-01T00:00:00.000Z']);
  expect(await found(`start_time=${two}&end_time=${two}`)).toEqual([two]);
  expect(await found(`start_time=${encodeURIComponent('2030-01-01T02:00:03+02:00')}`)).toEqual([
    three,
  ]);
  expect(await found('start_time=2030-01-01T00:00:02.0001Z')).toEqual([three]);
  expect(await found(`start_time=${three}&end_time=${one}`)).toEqual([]);
});

test('AUD-19, AUD-24 filters are ANDed and exact', async () => {
  await using t = await auditFixture();
  const stale = { contract_version: 1, expected_revision: 9 };
  const path = `/api/v1/credentials/${t.adminId}/rotate`;
  await issueSome(t, 2);
  await t.send('POST', path, { 'X-Forwarded-For': '192.0.2.1' }, stale);
  const count = async (query: string): Promise<number> => (await t.events(query)).length;
  expect(await count(`${changes}&user_id=${t.adminId}`)).toBe(2);
  expect(await count(`${changes}&username=ops&result=success&action=configuration_changed`)).toBe(
    2,
  );
  expect(await count(`${changes}&username=OPS`)).toBe(0);
  expect(await count(`${changes}&result=forbidden`)).toBe(0);
  expect(await count('ip_address=192.0.2.1')).toBe(1);
  expect(await count('ip_address=192.0.2')).toBe(0);
});

test('AUD-C51, AUD-22 pages continue newest first without gap or repeat', async () => {
  await using t = await auditFixture();
  await issueSome(t, 7);
  const all = await t.events(changes);
  const pages: AuditPage[] = [];
  let cursor = '';
  do {
    const { body } = await t.send('GET', `/api/v1/audit?${changes}&limit=3${cursor}`);
    pages.push(body as AuditPage);
    cursor = `&cursor=${(body as AuditPage).next_cursor ?? ''}`;
    await issueSome(t, 1);
  } while (pages.at(-1)?.next_cursor !== null);
  expect(pages.map(({ count, limit }) => [count, limit])).toEqual([
    [3, 3],
    [3, 3],
    [2, 3],
  ]);
  expect(pages.flatMap(({ events }) => events)).toEqual(all);
  const foreign = `/api/v1/audit?event_type=login&cursor=${pages[0]?.next_cursor ?? ''}`;
  expect(outcome(await t.send('GET', foreign))).toBe('400 invalid_request');
});

test('AUD-21 limits are clamped, and an empty log gives an empty page', async () => {
  await using t = await auditFixture();
  for (const [asked, taken] of [
    [0, 0],
    [1_000, 1_000],
    [1_001, 1_000],
    [9_007_199_254_740_991, 1_000],
  ] as const) {
    const { body } = await t.send('GET', `/api/v1/audit?limit=${asked}`);
    const { limit, events, count, next_cursor } = body as AuditPage;
    expect([limit, next_cursor]).toEqual([taken, null]);
    expect([events.length, count]).toEqual(asked === 0 ? [0, 0] : [1, 1]);
  }
});

test('AUD-26 an administrator sees only its own authority; one of the installation sees all', async () => {
  await using t = await auditFixture();
  await bootstrapTenant(t.keep, { tenantId: 'other', subjectId: 'ops' });
  expect((await t.events()).map(({ tenant_id }) => tenant_id)).toEqual(['acme']);
  const tenants = (await t.allEvents()).map(({ tenant_id }) => tenant_id);
  expect(tenants.toSorted()).toEqual(['acme', 'other']);
  const own = await t.allEvents({ tenant_id: 'other' });
  expect(own.map(({ tenant_id }) => tenant_id)).toEqual(['other']);
  await expect(t.allEvents({ tenant_id: 'nobody' })).rejects.toMatchObject({
    code: 'tenant_not_found',
  });
});

test('AUD-C52, AUD-65 the oldest events are evicted first, and the rest still verifies', async () => {
  await using t = await auditFixture({ maxEvents: 3 });
  const times = await issueSome(t, 4);
  const kept = times.slice(1).toReversed();
  // Changes and the checks that allowed them are bounded each.
  for (const query of [changes, 'event_type=access_granted']) {
    expect((await t.events(query)).map(({ timestamp }) => timestamp)).toEqual(kept);
  }
  expect(await verifyAudit(t.keep)).toMatchObject({ status: 'verified', broken_at: null });
});

test.each([false, true])('AUD-C54 events survive a restart (with files: %s)', async (hasFiles) => {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-audit-'));
  try {
    const dataDir = join(directory, 'data');
    const audit = hasFiles ? { logPath: join(directory, 'logs') } : {};
    const first = await openKeep({ dataDir, audit });
    const { secret } = await bootstrapTenant(first, { tenantId: 'acme', subjectId: 'ops' });
    const before = await (await first.authenticate(secret)).audit.queryPage();
    await first.close();
    await using second = await openKeep({ dataDir, audit });
    expect(await (await second.authenticate(secret)).audit.queryPage()).toEqual(before);
    expect(await verifyAudit(second)).toMatchObject({ status: 'verified' });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test('AUD-C56 a change is refused when its event cannot be stored', async () => {
  const store = testStore();
  let isRefusing = false;
  const refusing = storeOver(store, {
    transact: (body) =>
      store.transact((tx) =>
        body({
          notes: tx.notes,
          get: (key) => tx.get(key),
          range: (range) => tx.range(range),
          remove: (key) => {
            tx.remove(key);
          },
          append: (prefix, value) => {
            tx.append(prefix, value);
          },
          put: (key, value) => {
            // Number 10, after the terminator of the tenant, is the subspace of audit blocks.
            const isBlock = key[key.indexOf(0) + 1] === 10;
            if (isRefusing && isBlock) throw new AgentkeepError('store_full');
            tx.put(key, value);
          },
        }),
      ),
  });
  await using t = await auditFixture({}, { store: refusing });
  const admin = await t.keep.authenticate(t.secret);
  isRefusing = true;
  await expect(admin.credentials.rotate(t.adminId, 1)).rejects.toMatchObject({
    code: 'store_full',
  });
  isRefusing = false;
  expect((await admin.whoAmI()).revision).toBe(1);
  expect(await t.events(changes)).toHaveLength(1);
});

test('an agent with the right reads the log in process', async () => {
  await using t = await auditFixture();
  await issueSome(t, 5);
  const admin = await t.keep.authenticate(t.secret);
  const seen: unknown[] = [];
  for await (const event of admin.audit.query({ eventType: 'configuration_changed', limit: 2 })) {
    seen.push(event.metadata['change']);
  }
  expect(seen).toEqual(['issued', 'issued', 'issued', 'issued', 'issued', 'bootstrapped']);
  const one = await admin.audit.queryPage({ startTime: t.clock.now(), username: 'ops' });
  expect(one.count).toBeGreaterThan(0);
});
