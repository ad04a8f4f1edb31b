/** Who read a record (docs/contract/history.md#his-41). */
import { runtimeOf, verifyErasureOfStore } from '@agentkeep/core/operator';
import { describe, expect } from 'vitest';
import { inBranch } from '../branches/harness.js';
import { erased, ofSubject } from '../erasure/erasure-kit.js';
import { exported, imported, ofTenant } from '../exports/export-fixture.js';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { minimalRecord, scope, sharedScope, unknownId, ungranted } from '../harness/documents.js';
import { type Fixture, tenant, testCase } from '../harness/fixture.js';
import { allEntries } from '../harness/stored-entries.js';

const DAY_MS = 86_400_000;

const ask = (caller: Caller, id: string, where: Members = sharedScope, members: Members = {}) =>
  caller.readers(where, id, members);

/** Returns the numbers of reads by reader, as an administrator sees them. */
async function readsOf(
  t: Fixture,
  id: string,
  caller = t.admin,
  where: Members = sharedScope,
): Promise<Record<string, number>> {
  const { items } = result(await ask(caller, id, where)).page;
  return Object.fromEntries(items.map(({ subject_id, reads }) => [subject_id, reads]));
}

const turnOn = async (t: Fixture, read_days: number, revision = 0, where?: Members) =>
  result(await t.admin.setRetention({ read_days }, revision, where));

describe('reads', () => {
  testCase('HIS-C21 HIS-41 are those that show a record, by whichever call', async (t) => {
    const ann = await t.agent({ subject_id: 'ann' });
    const helper = await t.agent({ subject_id: 'helper' });
    const id = await ann.created(sharedScope);
    const other = await ann.created(sharedScope);
    const named = { type: 'put', name: 'n', record: minimalRecord };
    const { receipt } = result(await ann.command(sharedScope, named));
    result(await helper.read(sharedScope, id));
    expect(await readsOf(t, id)).toEqual({});
    await turnOn(t, 30);

    result(await helper.read(sharedScope, id));
    result(await helper.readAt(sharedScope, id, { revision: 1 }));
    result(await helper.readAt(sharedScope, id, { as_of_millis: t.clock.now() }));
    result(await helper.revisions(sharedScope, id));
    expect(await readsOf(t, id)).toEqual({ helper: 4 });
    result(await helper.query(sharedScope, { limit: 1 }));
    expect(await readsOf(t, id)).toEqual({ helper: 5 });
    result(await ann.search([scope, sharedScope], { order: 'oldest' }));
    result(await ann.search([sharedScope], { order: 'oldest', limit: 1 }));
    expect(await readsOf(t, id)).toEqual({ ann: 2, helper: 5 });
    expect(await readsOf(t, other)).toEqual({ ann: 1 });
    result(await helper.readNamed(sharedScope, 'n'));
    expect(await readsOf(t, receipt.record_id)).toEqual({ ann: 1, helper: 1 });

    // None of these shows a record.
    result(await ann.search([sharedScope], { counts: {} }));
    result(await ann.changes({}));
    expect(outcome(await helper.read(scope, id))).toBe('404 record_not_found');
    expect(outcome(await ann.read(ungranted, id))).toBe(refused.forbidden);
    expect(await readsOf(t, id)).toEqual({ ann: 2, helper: 5 });
  });

  testCase('HIS-C21 HIS-44 are shown by day, a page at a time', async (t) => {
    await turnOn(t, 30);
    const ann = await t.agent({ subject_id: 'ann' });
    const bob = await t.agent({ subject_id: 'bob' });
    const id = await ann.created(sharedScope);
    const first = t.clock.now();
    result(await bob.read(sharedScope, id));
    result(await ann.read(sharedScope, id));
    t.clock.advance(2 * DAY_MS);
    for (let at = 0; at < 3; at += 1) result(await bob.read(sharedScope, id));
    const last = t.clock.now();
    const dateOf = (millis: number) => new Date(millis).toISOString().slice(0, 10);
    const page = result(await ask(t.admin, id, sharedScope, { limit: 1 })).page;
    expect(page).toEqual({
      read_days: 30,
      items: [
        {
          ...{ subject_id: 'ann', reads: 1, last_at_millis: first },
          days: [{ date: dateOf(first), reads: 1 }],
        },
      ],
      next_cursor: page.next_cursor,
    });
    const cursor = page.next_cursor ?? '';
    const next = result(await ask(t.admin, id, sharedScope, { limit: 1, cursor })).page;
    expect(next).toEqual({
      read_days: 30,
      items: [
        {
          ...{ subject_id: 'bob', reads: 4, last_at_millis: last },
          days: [
            { date: dateOf(last), reads: 3 },
            { date: dateOf(first), reads: 1 },
          ],
        },
      ],
      next_cursor: null,
    });
    const other = await ann.created(sharedScope);
    expect(outcome(await ask(t.admin, other, sharedScope, { cursor }))).toBe(refused.invalid);
    expect(outcome(await ask(t.admin, id, sharedScope, { limit: 101 }))).toBe(refused.invalid);
    const branch = { ...sharedScope, branch: unknownId };
    expect(outcome(await ask(t.admin, id, branch))).toBe(refused.invalid);
  });

  testCase('HIS-C21 HIS-42 are those of the service that acts for a subject', async (t) => {
    await turnOn(t, 30);
    const act_for = { mode: 'all' };
    const capabilities = ['memory_read', 'memory_write', 'act_for'];
    const support = await t.agent({ subject_id: 'support', capabilities, act_for });
    const document = { contract_version: 1, subject_id: 'ann' };
    const { access_token: token } = result(await support.call('issueSubjectToken', { document }));
    const ann = support.with(token);
    const id = await ann.created(scope);
    result(await ann.read(scope, id));
    expect(await readsOf(t, id, ann, scope)).toEqual({ support: 1 });
  });

  testCase('HIS-C21 HIS-41 in a branch count for the scope below it', async (t) => {
    await turnOn(t, 30);
    const ann = await t.agent({ subject_id: 'ann' });
    const id = await ann.created(sharedScope);
    const { id: branch } = await inBranch(ann, { scopes: [sharedScope] });
    result(await ann.read({ ...sharedScope, branch }, id));
    expect(await readsOf(t, id)).toEqual({ ann: 1 });
  });
});

describe('who may see them', () => {
  testCase(
    'HIS-C22 HIS-40, HIS-43 is an administrator, or the subject of private memory',
    async (t) => {
      await turnOn(t, 30);
      const ann = await t.agent({ subject_id: 'ann' });
      const bob = await t.agent({ subject_id: 'bob' });
      const shared = await ann.created(sharedScope);
      const own = await ann.created(scope);
      result(await ann.read(scope, own));
      expect(outcome(await ask(ann, shared))).toBe(refused.forbidden);
      expect(await readsOf(t, own, ann, scope)).toEqual({ ann: 1 });
      expect(outcome(await ask(bob, own, scope))).toBe('404 record_not_found');
      expect(outcome(await ask(t.admin, own, scope))).toBe(refused.forbidden);
      expect(outcome(await ask(ann, own, { ...ungranted }))).toBe(refused.forbidden);
      expect(outcome(await ask(t.admin, unknownId))).toBe('404 record_not_found');
      expect(outcome(await ask(t.admin, 'x'))).toBe(refused.invalid);
      const writer = await t.agent({ capabilities: ['memory_write'] });
      expect(outcome(await ask(writer, shared))).toBe(refused.forbidden);
      result(await ann.delete(sharedScope, [shared, 1]));
      expect(await readsOf(t, shared)).toEqual({});
    },
  );
});

describe('the setting', () => {
  testCase('HIS-C23 HIS-46 holds at once, and a scope only narrows it', async (t) => {
    const ann = await t.agent({ subject_id: 'ann' });
    const id = await ann.created(sharedScope);
    const own = await ann.created(scope);
    result(await ann.read(sharedScope, id));
    expect(await readsOf(t, id)).toEqual({});
    await turnOn(t, 0, 0, sharedScope);
    await turnOn(t, 2);
    const both = async (): Promise<void> => {
      result(await ann.read(sharedScope, id));
      result(await ann.read(scope, own));
    };
    await both();
    expect(result(await ask(t.admin, id)).page).toMatchObject({ read_days: 0, items: [] });
    expect(await readsOf(t, own, ann, scope)).toEqual({ ann: 1 });
    // HIS-32
    await turnOn(t, 90, 1, sharedScope);
    await both();
    expect(result(await ask(t.admin, id)).page.read_days).toBe(2);
    expect(await readsOf(t, id)).toEqual({ ann: 1 });
    t.clock.advance(2 * DAY_MS);
    expect(await readsOf(t, id)).toEqual({});
    await both();
    expect(await readsOf(t, id)).toEqual({ ann: 1 });
    await turnOn(t, 0, 1);
    await both();
    expect(await readsOf(t, id)).toEqual({});
    const ofSetting = { event_type: 'configuration_changed', resource: 'retention:acme' };
    const { events } = result(await t.admin.call('queryAuditLogs', { parameters: ofSetting }));
    expect(events[0]?.metadata).toMatchObject({
      before: { read_days: 2 },
      after: { read_days: 0 },
    });
    for (const read_days of [-1, 91, 1.5, '3']) {
      expect(outcome(await t.admin.setRetention({ read_days }, 2))).toBe(refused.invalid);
    }
  });

  testCase('HIS-C23 HIS-45 no count is stored where it is off', async (t) => {
    const ann = await t.agent({ subject_id: 'ann' });
    const id = await ann.created(sharedScope);
    result(await ann.read(sharedScope, id));
    expect(await readsOf(t, id)).toEqual({});
    const entries = await allEntries(t.store);
    expect(entries.filter(({ subspace }) => subspace === 'memoryReads')).toEqual([]);
  });
});

describe('erasures', () => {
  testCase('HIS-C24 of a reader remove what it read, and nothing else', async (t) => {
    await turnOn(t, 30);
    const [ann, bob] = [await t.agent({ subject_id: 'ann' }), await t.agent({ subject_id: 'bob' })];
    const id = await ann.created(sharedScope);
    result(await ann.read(sharedScope, id));
    result(await bob.read(sharedScope, id));
    expect(await readsOf(t, id)).toEqual({ ann: 1, bob: 1 });
    // This one still waits to be stored.
    result(await bob.read(sharedScope, id));
    await erased(t, ofSubject('bob'));
    expect(await readsOf(t, id)).toEqual({ ann: 1 });
    await runtimeOf(t.keep).audit.flush();
    const target = { kind: 'subject', subject_id: 'bob' } as const;
    const { status } = await verifyErasureOfStore(t.store, { tenantId: 'acme', target });
    expect(status).toBe('clean');
  });

  testCase('HIS-C24 of an owner remove the counts of private records', async (t) => {
    await turnOn(t, 30);
    const act_for = { mode: 'all' };
    const capabilities = ['memory_read', 'memory_write', 'act_for'];
    const support = await t.agent({ subject_id: 'support', capabilities, act_for });
    const document = { contract_version: 1, subject_id: 'ann' };
    const { access_token: token } = result(await support.call('issueSubjectToken', { document }));
    const ann = support.with(token);
    const id = await ann.created(scope);
    const shared = await support.created(sharedScope);
    result(await ann.read(scope, id));
    result(await support.read(sharedScope, shared));
    expect(await readsOf(t, id, ann, scope)).toEqual({ support: 1 });
    // This one still waits to be stored.
    result(await ann.read(scope, id));
    await erased(t, ofSubject('ann'));
    expect(await readsOf(t, shared)).toEqual({ support: 1 });
    await runtimeOf(t.keep).audit.flush();
    const target = { kind: 'subject', subject_id: 'ann' } as const;
    const { status } = await verifyErasureOfStore(t.store, { tenantId: 'acme', target });
    expect(status).toBe('clean');
  });

  testCase('HIS-C24 of a scope remove the counts of its records', async (t) => {
    await turnOn(t, 30);
    const ann = await t.agent({ subject_id: 'ann' });
    const id = await ann.created(sharedScope);
    result(await ann.read(sharedScope, id));
    expect(await readsOf(t, id)).toEqual({ ann: 1 });
    await erased(t, { kind: 'scope', scope: { ...sharedScope, mission_id: null } });
    const entries = await allEntries(t.store);
    expect(entries.filter(({ subspace }) => subspace === 'memoryReads')).toEqual([]);
    expect(outcome(await ask(t.admin, id))).toBe('404 record_not_found');
  });
});

testCase('HIS-C25 HIS-47 of a record are in no export, and an import makes none', async (t) => {
  await turnOn(t, 30);
  const ann = await t.agent({ subject_id: 'ann' });
  const reader = await t.agent({ subject_id: 'canary-reader' });
  const id = await ann.created(sharedScope);
  result(await reader.read(sharedScope, id));
  expect(await readsOf(t, id)).toEqual({ 'canary-reader': 1 });
  const text = await exported(t.admin, ofTenant, { with_history: true });
  expect(text).toContain(id);
  expect(text).not.toContain('canary-reader');
  // What was read stays counted, and an export is no read.
  expect(await readsOf(t, id)).toEqual({ 'canary-reader': 1 });

  await using other = await tenant(t.driver);
  await turnOn(other, 30);
  expect(await imported(other.admin, text)).toMatchObject({ stored: 1, refused: 0 });
  expect(await readsOf(other, id)).toEqual({});
  const bob = await other.agent({ subject_id: 'bob' });
  result(await bob.read(sharedScope, id));
  expect(await readsOf(other, id)).toEqual({ bob: 1 });
});
