/** How long memory is kept (docs/contract/history.md#his-30). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { record, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const DAY_MS = 86_400_000;
const unset = {
  revisions_max: null,
  revision_days: null,
  deleted_days: null,
  lifetime_seconds: null,
  expired_days: null,
  read_days: null,
};
const defaults = {
  revisions_max: 100,
  revision_days: 30,
  deleted_days: 0,
  lifetime_seconds: null,
  expired_days: null,
  read_days: 0,
};
const fullScope = { ...scope, mission_id: null };

/** Numbers of the revisions that are listed. */
async function numbers(agent: Caller, place: Members, id: string): Promise<number[]> {
  const { items } = result(await agent.revisions(place, id, { limit: 100 })).page;
  return items.map(({ revision }) => revision);
}

async function updated(agent: Caller, place: unknown, id: string, from: number, to: number) {
  for (let at = from; at < to; at += 1) result(await agent.update(place, [id, at]));
}

const unreviewed = { review: 'none', effective_review: 'none' };

describe('retention', () => {
  testCase(
    'HIS-C12, HIS-30 is set for the tenant and for scopes, which only narrow it',
    async (t) => {
      expect(result(await t.admin.retention())).toEqual({
        contract_version: 1,
        scope: null,
        revision: 0,
        retention: unset,
        effective: defaults,
        ...unreviewed,
      });
      const set = result(await t.admin.setRetention({ revisions_max: 5, lifetime_seconds: 60 }));
      expect(set).toMatchObject({
        revision: 1,
        retention: { ...unset, revisions_max: 5, lifetime_seconds: 60 },
        effective: { ...defaults, revisions_max: 5, lifetime_seconds: 60 },
      });
      const wide = { revisions_max: 9, revision_days: 3, lifetime_seconds: 90, expired_days: 1 };
      const ofScope = result(await t.admin.setRetention(wide, 0, scope));
      expect(ofScope).toEqual({
        contract_version: 1,
        scope: fullScope,
        revision: 1,
        retention: { ...unset, ...wide },
        effective: {
          ...defaults,
          revisions_max: 5,
          revision_days: 3,
          lifetime_seconds: 60,
          expired_days: 1,
        },
        ...unreviewed,
      });
      expect(result(await t.admin.retention(scope))).toEqual(ofScope);
      expect(result(await t.admin.retention())).toEqual(set);
      expect(result(await t.admin.retention(sharedScope)).effective).toEqual(set.effective);
    },
  );

  testCase('HIS-C13 keeps to the expected revision, and leaves an event', async (t) => {
    expect(outcome(await t.admin.setRetention({}, 1))).toBe(refused.stale);
    result(await t.admin.setRetention({ deleted_days: 1 }));
    expect(outcome(await t.admin.setRetention({ deleted_days: 2 }))).toBe(refused.stale);
    expect(result(await t.admin.setRetention({ deleted_days: 1 }, 1)).revision).toBe(1);
    expect(result(await t.admin.setRetention({ deleted_days: 2 }, 1)).revision).toBe(2);
    result(await t.admin.setRetention({ deleted_days: 0 }, 0, scope));
    const filter = { event_type: 'configuration_changed' };
    const answer = result(await t.admin.call('queryAuditLogs', { parameters: filter }));
    const events = (answer as { events: { resource: string; metadata: unknown }[] }).events.filter(
      // AUD-87
      ({ resource }) => resource === 'retention:acme',
    );
    expect(events.map(({ metadata }) => metadata)).toEqual(
      [
        { change: 'created', scope: null, before: null, after: { ...unset, deleted_days: 1 } },
        {
          change: 'updated',
          scope: null,
          before: { ...unset, deleted_days: 1 },
          after: { ...unset, deleted_days: 2 },
        },
        { change: 'created', scope: fullScope, before: null, after: { ...unset, deleted_days: 0 } },
      ]
        .map((metadata) => expect.objectContaining(metadata) as unknown)
        .toReversed(),
    );
  });

  testCase('HIS-C14 is for administrators of the tenant', async (t) => {
    const agent = await t.agent();
    expect(outcome(await agent.retention())).toBe(refused.forbidden);
    expect(outcome(await agent.setRetention({}))).toBe(refused.forbidden);
    for (const wrong of [
      { revisions_max: -1 },
      { revisions_max: 10_001 },
      { revision_days: 36_501 },
      { lifetime_seconds: 0 },
      { deleted_days: 1.5 },
      { other: 1 },
    ]) {
      expect(outcome(await t.admin.setRetention(wrong))).toBe(refused.invalid);
    }
    expect(outcome(await t.admin.retention({ project_id: 'p' }))).toBe(refused.invalid);
    expect(outcome(await t.admin.retention({ mission_id: 'm' }))).toBe(refused.invalid);
  });

  testCase('HIS-C15, HIS-10 keeps the last revisions, for some days', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    await updated(agent, scope, id, 1, 104);
    expect(await numbers(agent, scope, id)).toHaveLength(100);
    expect((await agent.readAt(scope, id, { revision: 3 })).status).toBe(404);
    expect((await agent.readAt(scope, id, { revision: 4 })).status).toBe(200);
    result(await t.admin.setRetention({ revisions_max: 2 }));
    expect(await numbers(agent, scope, id)).toEqual([104, 103, 102]);
    await updated(agent, scope, id, 104, 105);
    expect(await numbers(agent, scope, id)).toEqual([105, 104, 103]);
    t.clock.advance(10 * DAY_MS);
    await updated(agent, scope, id, 105, 106);
    t.clock.advance(20 * DAY_MS);
    expect(await numbers(agent, scope, id)).toEqual([106, 105]);
    expect((await agent.readAt(scope, id, { revision: 104 })).status).toBe(404);
    result(await t.admin.setRetention({ revisions_max: 0 }, 0, scope));
    expect(await numbers(agent, scope, id)).toEqual([106]);
  });

  testCase('HIS-C16 gives new records an end, unless they state one', async (t) => {
    const agent = await t.agent();
    result(await t.admin.setRetention({ lifetime_seconds: 60 }));
    const now = t.clock.now();
    const id = await agent.created(scope);
    const stated = await agent.created(scope, record({ valid_until_millis: now + 5 }));
    const named = result(await agent.put(scope, 'n')).receipt.record_id;
    const endOf = async (of: string) =>
      result(await agent.read(scope, of)).record.payload.valid_until_millis;
    expect(await endOf(id)).toBe(now + 60_000);
    expect(await endOf(stated)).toBe(now + 5);
    expect(await endOf(named)).toBe(now + 60_000);
    result(await agent.update(scope, [id, 1]));
    expect(await endOf(id)).toBe(null);
    t.clock.advance(60_000);
    expect(await agent.found(scope)).toEqual([id]);
  });

  testCase('HIS-C17 ends expired records after some days', async (t) => {
    const agent = await t.agent();
    const ending = record({ valid_until_millis: t.clock.now() + 1_000 });
    const id = await agent.created(scope, ending);
    const made = result(await agent.put(scope, 'n', { record: ending })).receipt;
    result(await t.admin.setRetention({ expired_days: 1 }));
    t.clock.advance(DAY_MS + 999);
    expect(outcome(await agent.revisions(scope, id))).toBe('200');
    t.clock.advance(1);
    expect(outcome(await agent.revisions(scope, id))).toBe(refused.noRecord);
    expect(outcome(await agent.update(scope, [id, 1]))).toBe(refused.noRecord);
    expect(outcome(await agent.remove(scope, 'n'))).toBe(refused.noRecord);
    const again = result(await agent.put(scope, 'n')).receipt;
    expect(again).toMatchObject({ action: 'created', revision: 1 });
    expect(again.record_id).not.toBe(made.record_id);
  });
});
