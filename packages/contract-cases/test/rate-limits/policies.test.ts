/** Administration of rate limit policies (docs/contract/rate-limits.md). */
import type { ShownRateLimit } from '@agentkeep/core';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { masterCase, type Installation } from '../installation/installation-fixture.js';

const mine = { name: 'Mine', endpoint_type: 'GeneralApi', max_requests: 7, window_secs: 30 };
const noPolicy = '404 not_found';

const create = async ({ admin }: Installation, members: object = {}): Promise<ShownRateLimit> =>
  result(await admin.call('createRateLimit', { document: { ...mine, ...members } }));

const listed = async ({ admin }: Installation, parameters?: object) =>
  result(await admin.call('listRateLimits', { parameters }));

const namesOf = (policies: readonly ShownRateLimit[]): string[] => policies.map(({ name }) => name);

describe('the defaults', () => {
  masterCase(
    'RTL-9, RTL-10, RTL-11, RTL-12, RTL-13 there are four, made by the system',
    async (on) => {
      const { policies, next_cursor } = await listed(on);
      const now = new Date(on.clock.now()).toISOString();
      expect(next_cursor).toBeNull();
      expect(
        policies
          .toReversed()
          .map(({ name, endpoint_type, max_requests }) => [name, endpoint_type, max_requests]),
      ).toEqual([
        ['Default Login Rate Limit', 'Login', 100],
        ['Default API Key Creation Rate Limit', 'ApiKeyCreation', 100],
        ['Default User Management Rate Limit', 'UserManagement', 1_000],
        ['Default General API Rate Limit', 'GeneralApi', 100_000],
      ]);
      for (const policy of policies) {
        expect(policy).toMatchObject({
          window_secs: 60,
          enabled: true,
          created_at: now,
          updated_at: now,
          created_by: 'system',
        });
      }
    },
  );

  masterCase('they can be changed and deleted like others', async (on) => {
    const [id = ''] = (await listed(on)).policies.map((policy) => policy.id);
    const changed = await on.admin.call('updateRateLimit', { id, document: { enabled: false } });
    expect(result(changed)).toMatchObject({ enabled: false, created_by: 'system' });
    expect(outcome(await on.admin.call('deleteRateLimit', { id }))).toBe('200');
    expect((await listed(on)).policies).toHaveLength(3);
  });
});

describe('create', () => {
  masterCase('RTL-7, RTL-9 returns the whole policy, enabled by default', async (on) => {
    on.clock.advance(5);
    const policy = await create(on);
    const now = new Date(on.clock.now()).toISOString();
    expect(policy).toEqual({
      ...mine,
      id: policy.id,
      enabled: true,
      created_at: now,
      updated_at: now,
      created_by: on.admin.id,
      revision: 1,
    });
    expect(result(await on.admin.call('getRateLimit', { id: policy.id }))).toEqual(policy);
    expect(await create(on, { enabled: false })).toMatchObject({ enabled: false });
  });

  masterCase('a repeated request makes another policy', async (on) => {
    const ids = [await create(on), await create(on)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect((await listed(on)).policies.map(({ id }) => id).slice(0, 2)).toEqual(ids.toReversed());
  });

  masterCase(
    'RTL-8, RTL-14, RTL-16 accepts every type and the limits of its numbers',
    async (on) => {
      for (const endpoint_type of [
        'Login',
        'ApiKeyCreation',
        'UserManagement',
        'GeneralApi',
        { Custom: '/api/v1/memory' },
        { Custom: `/${'x'.repeat(255)}` },
      ]) {
        expect((await create(on, { endpoint_type })).endpoint_type).toEqual(endpoint_type);
      }
      const least = { max_requests: 1, window_secs: 1 };
      const most = { max_requests: 1_000_000_000, window_secs: 86_400 };
      for (const bounds of [least, most]) expect(await create(on, bounds)).toMatchObject(bounds);
    },
  );

  masterCase('RTL-8, RTL-16 refuses every violation, and stores nothing', async (on) => {
    const wrong: object[] = [
      { max_requests: 0 },
      { max_requests: 1_000_000_001 },
      { max_requests: 1.5 },
      { max_requests: '7' },
      { window_secs: 0 },
      { window_secs: 86_401 },
      { endpoint_type: 'general' },
      { endpoint_type: '/api/v1/memory' },
      { endpoint_type: { Custom: 'api' } },
      { endpoint_type: { Custom: '/' } },
      { endpoint_type: { Custom: '/api/' } },
      { endpoint_type: { Custom: '/api//v1' } },
      { endpoint_type: { Custom: '/api?x' } },
      { endpoint_type: { Custom: `/${'x'.repeat(256)}` } },
      { endpoint_type: { Custom: '/api', other: 1 } },
      { name: '' },
      { name: ' ' },
      { name: 'a\nb' },
      { name: 'ä'.repeat(129) },
      { enabled: null },
      { enabled: 1 },
      { created_by: 'me' },
      { contract_version: 1 },
    ];
    for (const members of wrong) {
      const answer = await on.admin.call('createRateLimit', { document: { ...mine, ...members } });
      expect(outcome(answer), JSON.stringify(members)).toBe(refused.invalid);
    }
    for (const left of Object.keys(mine)) {
      const document = Object.fromEntries(Object.entries(mine).filter(([name]) => name !== left));
      expect(outcome(await on.admin.call('createRateLimit', { document }))).toBe(refused.invalid);
    }
    expect((await listed(on)).policies).toHaveLength(4);
    expect(await on.events('configuration_changed')).toHaveLength(1);
  });
});

describe('the number of policies', () => {
  masterCase('RTL-C49, RTL-40, CON-168 is bounded', async (on) => {
    for (let left = 252; left > 0; left -= 1) await create(on, { enabled: left % 2 === 0 });
    const one = () => on.admin.call('createRateLimit', { document: mine });
    expect(outcome(await one())).toBe('409 rate_limit_policy_limit');
    const { policies } = await listed(on);
    expect(policies).toHaveLength(256);
    const [{ id } = { id: '' }] = policies;
    result(await on.admin.call('deleteRateLimit', { id }));
    expect(outcome(await one())).toBe('201');
    expect(outcome(await one())).toBe('409 rate_limit_policy_limit');
  });
});

describe('update', () => {
  masterCase('RTL-22 changes the given members and the date', async (on) => {
    const policy = await create(on);
    on.clock.advance(1_000);
    const { id } = policy;
    const updated_at = new Date(on.clock.now()).toISOString();
    let expected: ShownRateLimit = { ...policy, updated_at };
    for (const change of [
      { max_requests: 8 },
      { window_secs: 31 },
      { name: 'Yours' },
      { enabled: false },
      { enabled: true, max_requests: 9, window_secs: 1, name: 'Ours' },
    ]) {
      expected = { ...expected, ...change, revision: expected.revision + 1 };
      const changed = await on.admin.call('updateRateLimit', { id, document: change });
      expect(result(changed)).toEqual(expected);
    }
    expect(result(await on.admin.call('getRateLimit', { id }))).toEqual(expected);
  });

  masterCase(
    'RTL-22 without a change leaves policy, date and audit log as they are',
    async (on) => {
      const policy = await create(on);
      const { id } = policy;
      const before = await on.events('configuration_changed');
      on.clock.advance(1_000);
      for (const document of [{}, { max_requests: 7 }, { name: 'Mine', enabled: true }]) {
        expect(result(await on.admin.call('updateRateLimit', { id, document }))).toEqual(policy);
      }
      expect(await on.events('configuration_changed')).toEqual(before);
    },
  );

  masterCase('never dates a change before the previous one', async (on) => {
    const policy = await create(on);
    on.clock.stepTo(on.clock.now() - 60_000);
    const document = { max_requests: 8 };
    const answer = await on.admin.call('updateRateLimit', { id: policy.id, document });
    expect(result(answer).updated_at).toBe(policy.updated_at);
    expect((await create(on)).created_at).toBe(policy.created_at);
  });

  masterCase('RTL-C50 changes a policy at the revision that the caller names', async (on) => {
    const { id } = await create(on);
    const update = (expected_revision: unknown, max_requests = 8, of = id) =>
      on.admin.call('updateRateLimit', { id: of, document: { max_requests, expected_revision } });
    expect(outcome(await update(2))).toBe('409 revision_conflict');
    expect(outcome(await update(0))).toBe('409 revision_conflict');
    expect(result(await update(1))).toMatchObject({ revision: 2, max_requests: 8 });
    expect(result(await update(2))).toMatchObject({ revision: 2 });
    expect(outcome(await update(1, 9))).toBe('409 revision_conflict');
    // Also where it would change nothing: what the caller saw isn't there any more.
    expect(outcome(await update(1))).toBe('409 revision_conflict');
    const shown = result(await on.admin.call('getRateLimit', { id }));
    expect(shown).toMatchObject({ revision: 2, max_requests: 8 });
    expect((await listed(on)).policies.map(({ revision }) => revision)).toEqual([2, 1, 1, 1, 1]);
    for (const wrong of [-1, 1.5, '1', null]) {
      expect(outcome(await update(wrong))).toBe(refused.invalid);
    }
    result(await on.admin.call('deleteRateLimit', { id }));
    expect(outcome(await update(1))).toBe(noPolicy);
  });

  masterCase('refuses endpoint_type and unknown members as a whole', async (on) => {
    const policy = await create(on);
    const { id } = policy;
    for (const wrong of [
      { endpoint_type: 'GeneralApi' },
      { endpoint_type: 'Login' },
      { created_by: 'system' },
      { max_requests: 0 },
      { window_secs: 86_401 },
      { enabled: null },
      { name: null },
    ]) {
      const document = { max_requests: 8, ...wrong };
      const answer = await on.admin.call('updateRateLimit', { id, document });
      expect(outcome(answer), JSON.stringify(wrong)).toBe(refused.invalid);
    }
    expect(outcome(await on.admin.call('updateRateLimit', { id }))).toBe(refused.invalid);
    expect(result(await on.admin.call('getRateLimit', { id }))).toEqual(policy);
  });
});

describe('delete', () => {
  masterCase('returns the common success form, and then 404', async (on) => {
    const { id } = await create(on);
    const gone = result(await on.admin.call('deleteRateLimit', { id }));
    expect(gone).toEqual({ success: true, message: expect.any(String) as string });
    expect(outcome(await on.admin.call('deleteRateLimit', { id }))).toBe(noPolicy);
    expect(outcome(await on.admin.call('getRateLimit', { id }))).toBe(noPolicy);
    const document = { enabled: true };
    expect(outcome(await on.admin.call('updateRateLimit', { id, document }))).toBe(noPolicy);
    expect((await listed(on)).policies).toHaveLength(4);
  });
});

describe('the list', () => {
  masterCase('RTL-23 is newest first, in pages, and includes disabled policies', async (on) => {
    for (const name of ['a', 'b', 'c']) {
      on.clock.advance(1);
      await create(on, { name, enabled: name !== 'b' });
    }
    const all = (await listed(on)).policies;
    expect(namesOf(all).slice(0, 3)).toEqual(['c', 'b', 'a']);
    const pages: ShownRateLimit[][] = [];
    let cursor: string | null = null;
    do {
      const page = await listed(on, { limit: 3, ...(cursor === null ? {} : { cursor }) });
      pages.push(page.policies);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(all);
    expect((await listed(on, { limit: 7 })).next_cursor).toBeNull();
  });

  masterCase('a cursor stays valid when its policy is deleted', async (on) => {
    const { policies, next_cursor: cursor } = await listed(on, { limit: 2 });
    for (const { id } of policies) await on.admin.call('deleteRateLimit', { id });
    expect((await listed(on, { cursor })).policies).toEqual((await listed(on)).policies);
  });

  masterCase('invalid limits and cursors are refused', async (on) => {
    const { next_cursor: cursor } = await listed(on, { limit: 1 });
    const foreign = result(
      await on.admin.call('queryAuditLogs', { parameters: { limit: 1 } }),
    ).next_cursor;
    for (const parameters of [
      { limit: 0 },
      { limit: 1_001 },
      { limit: 'x' },
      { limit: 1.5 },
      { cursor: '' },
      { cursor: 'x' },
      { cursor: `${cursor}A` },
      { cursor: foreign },
      { offset: 1 },
      { tenant_id: 'acme' },
    ]) {
      const answer = await on.admin.call('listRateLimits', { parameters });
      expect(outcome(answer), JSON.stringify(parameters)).toBe(refused.invalid);
    }
    expect(outcome(await on.admin.call('listRateLimits', { parameters: { limit: 1_000 } }))).toBe(
      '200',
    );
  });
});

masterCase('an administrator does the same in process, without documents', async (on) => {
  const { rateLimits } = await on.keep.administer(on.admin.token);
  const made = await rateLimits.create({
    name: 'Memory',
    endpointType: { Custom: '/api/v1/memory' },
    maxRequests: 5,
    windowSecs: 10,
  });
  expect(made).toMatchObject({ max_requests: 5, window_secs: 10, enabled: true });
  const change = { name: 'Less', maxRequests: 4, windowSecs: 20, enabled: false };
  const changed = await rateLimits.update(made.id, change);
  expect(changed).toMatchObject({ name: 'Less', max_requests: 4, window_secs: 20, enabled: false });
  expect(await rateLimits.get(made.id)).toEqual(changed);
  const { policies, next_cursor } = await rateLimits.listPage({ limit: 1 });
  expect(policies).toEqual([changed]);
  expect(next_cursor).not.toBeNull();
  expect(await rateLimits.update(made.id, {})).toEqual(changed);
  const all: string[] = [];
  for await (const { name } of rateLimits.list({ limit: 2 })) all.push(name);
  expect(all).toHaveLength(5);
  await rateLimits.delete(made.id);
  await expect(rateLimits.get(made.id)).rejects.toMatchObject({ code: 'target_not_found' });
});
