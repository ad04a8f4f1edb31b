/** Storage quotas of tenants (docs/contract/quotas.md). */
import { readFileSync } from 'node:fs';
import { openKeep, type Store } from '@agentkeep/core';
import { agentFor, bootstrapTenant, copyStore } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { eventually } from '@agentkeep/testkit/eventually';
import { operations } from '@agentkeep/core';
import { mayExceedQuota } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, minimalSpec, recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import type { GlobalCaller } from '../harness/global-caller.js';
import { Party } from '../installation/installation-fixture.js';
import { PASSWORD, withSessions } from '../sessions/session-fixture.js';
import { callOf } from '@agentkeep/testkit/operations';

const FULL = '409 quota_exceeded';
const noQuota = { max_entries: null, max_bytes: null };
const large = recordOf({ primary: 'x'.repeat(4_000) });

/** Audit events may be stored at any moment, so their entries can be left out. */
const AUDIT = new Set([10, 11]);

/** Counts what a tenant holds by walking through the store. */
async function counted(store: Store, leftOut: ReadonlySet<number | undefined> = new Set()) {
  const prefix = 'acme\0';
  const span = { from: Buffer.from(prefix), to: Buffer.from('acme\x01') };
  return store.read((tx) => {
    let entries = 0;
    let bytes = 0;
    for (const { key, value } of tx.range(span)) {
      if (leftOut.has(key[prefix.length])) continue;
      entries += 1;
      bytes += key.length + value.length;
    }
    return { entries, bytes, is_complete: true };
  });
}

async function use(master: GlobalCaller) {
  return result(await master.quotaOf('acme')).use;
}

/** Waits until the shown use is what a walk finds, with no event stored in between. */
async function expectExact(t: Fixture, master: GlobalCaller): Promise<void> {
  await eventually(async () => {
    expect(await use(master)).toEqual(await counted(t.store));
  });
}

/** Sets a quota and waits until everything is counted. */
async function setAndCount(master: GlobalCaller, limits: Parameters<GlobalCaller['setQuota']>[1]) {
  result(await master.setQuota('acme', limits));
  await eventually(async () => {
    expect(await use(master)).toMatchObject({ is_complete: true });
  });
}

/** Sets a quota that is full. */
async function fill(t: Fixture): Promise<GlobalCaller> {
  const master = await t.master();
  await setAndCount(master, { max_bytes: 1 });
  return master;
}

describe('a quota', () => {
  testCase('QUO-C1, QUO-1, QUO-4 is off by default, and nothing is counted', async (t) => {
    const master = await t.master();
    const unset = { quota: noQuota, revision: 0, use: null };
    const shown = { contract_version: 1, tenant_id: 'acme', ...unset };
    expect(result(await master.quotaOf('acme'))).toEqual(shown);
    expect(result(await master.setQuota('acme', {}))).toEqual(shown);
    const entries = await t.store.read((tx) =>
      Array.from(tx.range({ from: Buffer.from('\0\x3e'), to: Buffer.from('\0\x3f') })),
    );
    expect(entries).toEqual([]);
  });

  testCase(
    'QUO-C7, QUO-2, QUO-12, QUO-13 shows a use that is what a walk through the store finds',
    async (t) => {
      const agent = await t.agent();
      const ids = [];
      for (let number = 0; number < 100; number += 1) ids.push(await agent.created(scope));
      const master = await t.master();
      result(await master.setQuota('acme', { max_entries: 1_000_000 }));
      // Writes go on while the slices are counted.
      for (const id of ids.slice(0, 20)) {
        result(await agent.update(scope, [id, 1], large));
        result(await agent.delete(scope, [id, 2]));
      }
      await eventually(async () => {
        expect(await use(master)).toMatchObject({ is_complete: true });
      });
      await agent.created(scope, large);
      await expectExact(t, master);
    },
  );

  testCase('QUO-7 is removed by two nulls, and its use with it', async (t) => {
    const master = await fill(t);
    expect(outcome(await t.admin.issue(minimalSpec))).toBe(FULL);
    expect(result(await master.setQuota('acme', {}))).toMatchObject({ quota: noQuota, use: null });
    expect(outcome(await t.admin.issue(minimalSpec))).toBe('201');
  });

  testCase('MEM-98 serves a batch only if all its commands delete', async (t) => {
    const agent = await t.agent();
    const ids = [await agent.created(scope), await agent.created(scope)];
    await fill(t);
    const deletes = ids.map((record_id) => {
      return [scope, { type: 'delete', record_id, expected_revision: 1 }] as const;
    });
    const create = [scope, { type: 'create', record: minimalRecord }] as const;
    expect(outcome(await agent.batch([...deletes, create]))).toBe(FULL);
    expect(outcome(await agent.batch(deletes))).toBe('200');
  });

  testCase('HIS-C20 leaves the revision before out where it has no room for it', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope, large);
    result(await agent.update(scope, [id, 1], large));
    // The receipt of a further command needs a little room.
    const before = await counted(t.store);
    const master = await t.master();
    await setAndCount(master, { max_bytes: before.bytes + 3_000 });
    result(await agent.update(scope, [id, 2], large));
    const listed = result(await agent.revisions(scope, id)).page.items;
    expect(listed.map(({ revision }) => revision)).toEqual([3, 1]);
    await setAndCount(master, { max_bytes: 1 });
    expect(outcome(await agent.restore(scope, id, 1, 3))).toBe(FULL);
    expect(outcome(await agent.redact(scope, id, 1))).toBe('200');
    result(await t.admin.setRetention({ revisions_max: 3 }));
    await expectExact(t, master);
    await setAndCount(master, { max_bytes: 10_000_000 });
    result(await agent.update(scope, [id, 3], minimalRecord));
    expect(result(await agent.revisions(scope, id)).page.items).toHaveLength(3);
  });

  testCase('QUO-C9 serves a redaction only where it takes something away', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    result(await agent.update(scope, [id, 1]));
    result(await agent.update(scope, [id, 2]));
    await fill(t);
    expect(outcome(await agent.redact(scope, id, 1, 'first'))).toBe('200');
    expect(outcome(await agent.redact(scope, id, 1))).toBe(FULL);
    expect(outcome(await agent.redact(scope, id, 1, 'first'))).toBe('200');
    const redact = (revision: number) =>
      [scope, { type: 'redact', record_id: id, revision }] as const;
    expect(outcome(await agent.batch([redact(2), redact(1)]))).toBe(FULL);
    expect(outcome(await agent.batch([redact(2)]))).toBe('200');
  });

  testCase('QUO-C10 refuses the first setting of a scope, and no other', async (t) => {
    result(await t.admin.setRetention({ revisions_max: 3 }, 0, scope));
    await fill(t);
    const two = { revisions_max: 2 };
    expect(outcome(await t.admin.setRetention(two, 0, sharedScope))).toBe(FULL);
    expect(outcome(await t.admin.setRetention(two, 1, scope))).toBe('200');
    expect(outcome(await t.admin.setRetention(two))).toBe('200');
  });

  testCase('keeps its use when its bounds change', async (t) => {
    const master = await fill(t);
    const before = await use(master);
    const { quota, use: after } = result(await master.setQuota('acme', { max_entries: 0 }));
    expect(quota).toEqual({ max_entries: 0, max_bytes: null });
    expect(after).toMatchObject({ is_complete: true });
    expect(after?.entries).toBeGreaterThanOrEqual(before?.entries ?? Infinity);
  });

  testCase('QUO-C15 is replaced at its revision only, if the caller names one', async (t) => {
    const master = await t.master();
    const set = async (max_entries: number | null, expected_revision?: unknown) =>
      master.setQuota('acme', { max_entries, expected_revision });
    const conflict = '409 revision_conflict';
    expect(outcome(await set(1_000_000, 1))).toBe(conflict);
    const first = result(await set(1_000_000, 0));
    expect(first.revision).toBeGreaterThan(0);
    expect(result(await master.quotaOf('acme')).revision).toBe(first.revision);
    expect(result(await set(1_000_000, first.revision)).revision).toBe(first.revision);
    const second = result(await set(2_000_000, first.revision));
    expect(second.revision).toBeGreaterThan(first.revision);
    for (const max of [1_000_000, 2_000_000, null]) {
      expect(outcome(await set(max, first.revision))).toBe(conflict);
      expect(outcome(await set(max, 0))).toBe(conflict);
    }
    expect(result(await master.quotaOf('acme')).quota.max_entries).toBe(2_000_000);
    expect(result(await set(null, second.revision))).toMatchObject({ revision: 0, use: null });
    // A quota that was removed comes back with none of its revisions.
    const third = result(await set(2_000_000));
    expect(third.revision).toBeGreaterThan(second.revision);
    result(await master.register({ tenant_id: 'globex' }));
    const other = result(await master.setQuota('globex', { max_bytes: 9_000_000 }));
    expect(other.revision).toBeGreaterThan(third.revision);
    for (const wrong of [-1, 1.5, '1', null])
      expect(outcome(await set(1, wrong))).toBe(refused.invalid);
  });

  testCase('QUO-7, AUD-84 is an event of the installation and of the tenant', async (t) => {
    const master = await t.master();
    result(await master.setQuota('acme', { max_bytes: 5_000_000 }));
    result(await master.setQuota('acme', { max_bytes: 5_000_000 }));
    result(await master.setQuota('acme', {}));
    const { events } = result(
      await master.call('queryAuditLogs', {
        parameters: { limit: 1_000, event_type: 'configuration_changed' },
      }),
    );
    const told = events.filter(({ resource }) => resource === 'storage_quota:acme');
    for (const authority of [null, 'acme']) {
      const ofAuthority = told.filter(({ tenant_id }) => tenant_id === authority);
      expect(ofAuthority.map(({ metadata }) => metadata)).toMatchObject([
        { change: 'deleted', before: { max_bytes: 5_000_000 }, after: null },
        { change: 'created', before: null, after: { max_entries: null, max_bytes: 5_000_000 } },
      ]);
    }
  });

  testCase('QUO-C8, QUO-3 takes integers from 0 on, and both bounds', async (t) => {
    const master = await t.master();
    for (const wrong of [-1, 1.5, '1', 2 ** 53, undefined]) {
      expect(outcome(await master.setQuota('acme', { max_bytes: wrong }))).toBe(refused.invalid);
      expect(outcome(await master.setQuota('acme', { max_entries: wrong }))).toBe(refused.invalid);
    }
  });
});

/** Returns the operations that the clause of refusals names. */
function namedByTheClause(): string[] {
  const page = new URL('../../../../docs/contract/quotas.md', import.meta.url);
  const [, clause] = /\*\*QUO-9\*\*(.*?)<a id=/su.exec(readFileSync(page, 'utf8')) ?? [];
  const words = clause?.match(/(?<=`)\w+(?=`)/gu) ?? [];
  return words.filter((word) => Object.hasOwn(operations, word));
}

test('QUO-9 the operations that a full quota refuses are those of the clause', () => {
  const stated = Object.values(operations).filter(mayExceedQuota);
  expect(stated.map(({ name }) => name).toSorted()).toEqual(namedByTheClause().toSorted());
});

describe('a full quota', () => {
  testCase('QUO-14 is part of a copy, and refuses nothing to local commands', async (t) => {
    await fill(t);
    await bootstrapTenant(t.keep, { tenantId: 'local', subjectId: 'ops' });
    const scopes = [scope];
    const local = { tenantId: 'acme', subjectId: 'local', scopes };
    const refusal = { code: 'quota_exceeded' };
    const before = await agentFor(t.keep, local);
    await expect(before.memory.in(scope).remember('x')).rejects.toMatchObject(refusal);
    const store = testStore();
    await copyStore({ from: { store: t.store }, to: { store } });
    await using keep = await openKeep({ store, clock: t.clock });
    const after = await agentFor(keep, { ...local, subjectId: 'another' });
    await expect(after.memory.in(scope).remember('x')).rejects.toMatchObject(refusal);
  });

  testCase('QUO-8 refuses what adds data, and changes nothing', async (t) => {
    const agent = await t.agent();
    await fill(t);
    const before = await counted(t.store, AUDIT);
    const parts = ['registerLearningPolicy', 'registerLearningContext', 'issueCredential'] as const;
    for (const name of parts) {
      expect(outcome(await t.admin.call(name, callOf(name)))).toBe(FULL);
    }
    expect(outcome(await agent.create(scope))).toBe(FULL);
    expect(await counted(t.store, AUDIT)).toEqual(before);
  });

  testCase('QUO-C2, QUO-10 serves reads, deletes, rotations and revocations', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope, large);
    const master = await fill(t);
    const bytes = (await use(master))?.bytes ?? 0;
    expect(outcome(await agent.read(scope, id))).toBe('200');
    expect(outcome(await agent.update(scope, [id, 1]))).toBe('200');
    expect(outcome(await agent.delete(scope, [id, 2]))).toBe('200');
    expect((await use(master))?.bytes).toBeLessThan(bytes);
    const { secret } = result(await t.admin.rotate(agent.id, 1));
    expect(outcome(await agent.with(secret).whoAmI())).toBe('200');
    expect(outcome(await t.admin.revoke(agent.id, 2))).toBe('200');
    expect(outcome(await master.appoint('acme'))).toBe('201');
    await expectExact(t, master);
  });

  // QUO-C3, QUO-C4, QUO-8, QUO-11
  testCase('answers a replay, and a freed quota takes the refused command', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope, large);
    result(await agent.create(scope, minimalRecord, 'first'));
    const master = await t.master();
    await setAndCount(master, { max_bytes: 1_000_000_000 });
    const { bytes } = (await use(master)) ?? { bytes: 0 };
    result(await master.setQuota('acme', { max_bytes: bytes + 1_000 }));
    expect(outcome(await agent.create(scope, large, 'second'))).toBe(FULL);
    expect(outcome(await agent.create(scope, minimalRecord, 'first'))).toBe('200');
    result(await agent.delete(scope, [id, 1]));
    expect(outcome(await agent.create(scope, recordOf({ primary: 'y' }), 'second'))).toBe('200');
  });

  withSessions(
    'QUO-C6, QUO-10 serves logins and their ends, and refuses accounts and keys',
    async (s) => {
      const { t } = s;
      const ann = await s.logIn();
      const master = await t.master('boss');
      await setAndCount(master, { max_entries: 0 });
      const as = (token: string) => new Party(t.transport, token, '');
      const sue = as((await s.logIn('sue')).access_token);
      expect(outcome(await s.tryLogIn('ann', 'acme', 'wrong'))).toBe('401 invalid_login');
      const user = { username: 'bob', password: PASSWORD, roles: [] };
      expect(outcome(await sue.call('createUser', { document: user }))).toBe(FULL);
      expect(outcome(await sue.call('createApiKey', { document: { name: 'k' } }))).toBe(FULL);
      const moved = { id: s.ids.ann, document: { email: 'ann@example.org' } };
      expect(outcome(await sue.call('updateUser', moved))).toBe(FULL);
      const ended = { id: s.ids.ann, document: { is_active: false } };
      expect(outcome(await sue.call('lockAccount', { id: 'ann', document: {} }))).toBe('200');
      expect(outcome(await sue.call('updateUser', ended))).toBe('200');
      expect(outcome(await as(ann.access_token).call('getUser', { id: s.ids.ann }))).toBe(
        refused.unauthorized,
      );
      await expectExact(t, master);
    },
  );
});
