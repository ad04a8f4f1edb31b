/** Records that end others (docs/contract/superseding.md). */
import { describe, expect } from 'vitest';
import { compare, inBranch, merge } from '../branches/harness.js';
import { exported, imported } from '../exports/export-fixture.js';
import { membersNamed, outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { record, scope, sharedScope, unknownId } from '../harness/documents.js';
import { tenant, testCase } from '../harness/fixture.js';
import { propose, proposerOf, reviewerOf } from '../review/harness.js';

type Target = readonly [id: string, revision: number];

const successorOf = (...targets: Target[]) =>
  record({ supersedes: targets.map(([record_id, revision]) => ({ record_id, revision })) });

const supersede = (agent: Caller, ...targets: Target[]) =>
  agent.create(scope, successorOf(...targets));

const read = async (agent: Caller, id: string, of: Members = scope) =>
  outcome(await agent.read(of, id));

const FIRST = 'operation.record.supersedes[0]';

describe('a record that supersedes others', () => {
  // SUP-1, SUP-2, SUP-3, SUP-4, MEM-104
  testCase('SUP-C1 ends them in its commit, and they stay in history', async (t) => {
    const agent = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const old = await agent.created(sharedScope, record({ tags: ['kept'] }));
    const ends = { valid_until_millis: t.clock.now() + 5 };
    const expired = await agent.created(sharedScope, record(ends));
    const before = t.clock.now();
    t.clock.advance(1_000);
    const both = successorOf([old, 1], [expired, 1]);
    const { receipt } = result(await bob.create(sharedScope, both, 'correction'));
    expect(receipt).toMatchObject({ revision: 1, action: 'created' });
    const { payload } = result(await agent.read(sharedScope, receipt.record_id)).record;
    expect(payload.supersedes).toEqual(both['supersedes']);
    expect(payload).not.toHaveProperty('superseded_by');
    expect(await read(agent, old, sharedScope)).toBe(refused.noRecord);
    const { items } = result(await agent.revisions(sharedScope, old)).page;
    expect(items[0]).toMatchObject({
      revision: 2,
      author: { credential_id: bob.id, subject_id: 'bob' },
      idempotency_key: 'correction',
      modified_at_millis: t.clock.now(),
      payload: {
        tags: ['kept'],
        valid_until_millis: t.clock.now(),
        superseded_by: receipt.record_id,
      },
    });
    expect(items[1]?.payload).toMatchObject({ valid_until_millis: null });
    expect(items[1]?.payload).not.toHaveProperty('superseded_by');
    const past = await agent.readAt(sharedScope, old, { as_of_millis: before });
    expect(result(past).record).toMatchObject({ revision: 1 });
    const ended = await agent.readAt(sharedScope, expired, { revision: 2 });
    expect(result(ended).record.payload).toMatchObject(ends);
  });

  testCase('SUP-C2 is refused when it is malformed', async (t) => {
    const agent = await t.agent();
    const ids = await Promise.all(Array.from({ length: 9 }, () => agent.created(scope)));
    const all = ids.map((record_id) => ({ record_id, revision: 1 }));
    const create = async (members: Members) => outcome(await agent.create(scope, record(members)));
    for (const supersedes of [null, [], all, [all[0], { ...all[0], revision: 2 }]]) {
      expect(await create({ supersedes })).toBe(refused.invalid);
    }
    expect(await create({ supersedes: [{ ...all[0], scope }] })).toBe(refused.invalid);
    expect(await create({ superseded_by: ids[0] })).toBe(refused.invalid);
    expect(await create({ supersedes: all.slice(0, 8) })).toBe('200');
  });

  // SUP-6, SUP-8
  testCase('SUP-C3 needs their current revisions, and ends nothing otherwise', async (t) => {
    const agent = await t.agent();
    const [kept, gone, updated] = [
      await agent.created(scope),
      await agent.created(scope),
      await agent.created(scope),
    ];
    const elsewhere = await agent.created(sharedScope);
    result(await agent.delete(scope, [gone, 1]));
    result(await agent.update(scope, [updated, 1]));
    const cases: [Target, string][] = [
      [[updated, 1], refused.stale],
      [[updated, 3], refused.stale],
      [[gone, 2], refused.noRecord],
      [[unknownId, 1], refused.noRecord],
      [[elsewhere, 1], refused.noRecord],
    ];
    for (const [target, refusal] of cases) {
      const answer = await supersede(agent, [kept, 1], target);
      expect(outcome(answer)).toBe(refusal);
      expect(membersNamed(answer)).toEqual(['operation.record.supersedes[1]']);
    }
    const itself = await agent.update(scope, [kept, 1], successorOf([kept, 1]));
    expect([outcome(itself), membersNamed(itself)]).toEqual([refused.invalid, [FIRST]]);
    expect(await read(agent, kept)).toBe('200');
    const bob = await t.agent({ subject_id: 'bob' });
    expect(outcome(await supersede(bob, [kept, 1]))).toBe(refused.noRecord);
  });

  // SUP-7, SUP-8
  testCase('SUP-C4 a repeat and a late command end nothing again', async (t) => {
    const agent = await t.agent();
    const [one, other] = [await agent.created(scope), await agent.created(scope)];
    const first = result(await agent.create(scope, successorOf([one, 1]), 'k')).receipt;
    t.clock.advance(10);
    expect(result(await agent.create(scope, successorOf([one, 1]), 'k')).receipt).toEqual(first);
    const differs = await agent.create(scope, successorOf([other, 1]), 'k');
    expect(outcome(differs)).toBe(refused.otherCommand);
    expect(membersNamed(differs)).toEqual(['operation.record.supersedes']);
    const again = await agent.update(scope, [first.record_id, 1], successorOf([one, 1]));
    expect(outcome(again)).toBe('200');
    const { items } = result(await agent.revisions(scope, one)).page;
    expect(items.map(({ revision }) => revision)).toEqual([2, 1]);
    const race = await Promise.all([1, 2, 3, 4].map(() => supersede(agent, [other, 1])));
    expect(race.map(outcome).toSorted()).toEqual(['200', ...Array(3).fill(refused.stale)]);
  });

  testCase('SUP-C5 can be a command of a batch', async (t) => {
    const agent = await t.agent();
    const old = await agent.created(scope);
    const create = (...targets: Target[]) =>
      [scope, { type: 'create', record: successorOf(...targets) }] as const;
    const stale = await agent.batch([create([old, 1]), create([old, 1])]);
    expect(outcome(stale)).toBe(refused.stale);
    expect(membersNamed(stale)).toEqual([`commands[1].${FIRST}`]);
    expect(await read(agent, old)).toBe('200');
    const { receipt } = result(await agent.batch([create([old, 1]), create([old, 2])]));
    const { items } = result(await agent.revisions(scope, old)).page;
    expect(items.map(({ payload }) => payload?.superseded_by)).toEqual([
      receipt.outcomes[1]?.record_id,
      receipt.outcomes[0]?.record_id,
      undefined,
    ]);
    const eight = Array.from({ length: 8 }, (_, index): Target => [
      `01900000-0000-7000-8000-00000000000${index}`,
      1,
    ]);
    const many = (count: number) => Array.from({ length: count }, () => create(...eight));
    expect(outcome(await agent.batch(many(32)))).toBe(refused.noRecord);
    expect(outcome(await agent.batch([...many(32), create([old, 3])]))).toBe(refused.invalid);
  });
});

describe('an ended record', () => {
  // SUP-9, SUP-10
  testCase('SUP-C6 is found on request, and is in the feed before its successor', async (t) => {
    const agent = await t.agent();
    const [old, expired] = [
      await agent.created(scope),
      await agent.created(scope, record({ valid_until_millis: 1 })),
    ];
    const since = result(await agent.changes({ after: 'latest' })).page.next_after;
    const { record_id: made } = result(await supersede(agent, [old, 1])).receipt;
    const found = async (filter: Members, order = 'oldest') => {
      const { matches } = result(await agent.search([scope], { filter, order })).page;
      return matches.map((match) => match.record.record_id);
    };
    expect(await found({})).toEqual([made]);
    expect(await found({ include_superseded: true })).toEqual([old, made]);
    const words = { text: 'x' };
    const best = await found({ include_superseded: true, words }, 'best_words');
    expect(best.toSorted()).toEqual([old, made]);
    expect(await found({ expired: 'only', include_superseded: true })).toEqual([old, expired]);
    expect(await found({ expired: 'included' })).toEqual([old, expired, made]);
    const { changes } = result(await agent.changes({ after: since })).page;
    expect(changes.map((each) => [each.record_id, each.revision, each.action])).toEqual([
      [old, 2, 'updated'],
      [made, 1, 'created'],
    ]);
  });

  // SUP-5, SUP-11
  testCase('SUP-C7 stays ended until a restore or an update', async (t) => {
    const agent = await t.agent();
    const [one, other] = [await agent.created(scope), await agent.created(scope)];
    const { record_id: made } = result(await supersede(agent, [one, 1], [other, 1])).receipt;
    result(await agent.delete(scope, [made, 1]));
    expect([await read(agent, one), await read(agent, made)]).toEqual([
      refused.noRecord,
      refused.noRecord,
    ]);
    const kept = result(await agent.readAt(scope, one, { revision: 2 })).record;
    expect(kept.payload.superseded_by).toBe(made);
    result(await agent.restore(scope, one, 1, 2));
    result(await agent.update(scope, [other, 2]));
    for (const id of [one, other]) {
      const { payload } = result(await agent.read(scope, id)).record;
      expect(payload.valid_until_millis).toBeNull();
      expect(payload).not.toHaveProperty('superseded_by');
    }
    result(await agent.restore(scope, one, 2, 3));
    expect(await read(agent, one)).toBe(refused.noRecord);
  });

  // SUP-12
  testCase('SUP-C9 is exported and imported with its mark', async (t) => {
    const agent = await t.agent();
    const old = await agent.created(scope);
    const { record_id: made } = result(await supersede(agent, [old, 1])).receipt;
    const text = await exported(t.admin, { type: 'tenant' }, { with_history: true });
    await using other = await tenant(t.driver);
    const reader = await other.agent();
    expect(await imported(other.admin, text)).toMatchObject({ problems: [] });
    expect(await read(reader, old)).toBe(refused.noRecord);
    const { payload } = result(await reader.readAt(scope, old, { revision: 2 })).record;
    expect(payload.superseded_by).toBe(made);
    const successor = result(await reader.read(scope, made)).record;
    expect(successor.payload.supersedes).toEqual([{ record_id: old, revision: 1 }]);
  });
});

// SUP-13
testCase(
  'SUP-C8 a proposal ends records when it is accepted, and its diff shows them',
  async (t) => {
    const agent = await proposerOf(t);
    const writer = await t.agent();
    const rita = await reviewerOf(t);
    const old = await writer.created(sharedScope);
    const operation = { type: 'create', record: successorOf([old, 1]) };
    const { receipt } = result(await propose(agent, operation));
    const made = receipt.record_id;
    const { id = '' } = receipt.proposal ?? {};
    const { digest, page } = await compare(rita, id);
    const shown = page.items.map(({ base, branch }) => [
      branch?.record_id,
      base?.payload.valid_until_millis,
      branch?.payload.superseded_by,
    ]);
    expect(shown.toSorted()).toEqual(
      [
        [old, null, made],
        [made, undefined, undefined],
      ].toSorted(),
    );
    expect([await read(writer, old, sharedScope), await read(writer, made, sharedScope)]).toEqual([
      '200',
      refused.noRecord,
    ]);
    t.clock.advance(60_000);
    const document = { contract_version: 1, idempotency_key: 'm', digest };
    const { merge } = result(await rita.call('mergeMemoryBranch', { id, document }));
    expect(merge).toMatchObject({ state: 'merged', merged: 2, conflicts: [] });
    expect(await read(writer, made, sharedScope)).toBe('200');
    expect(await read(writer, old, sharedScope)).toBe(refused.noRecord);
    const { record: ended } = result(await writer.readAt(sharedScope, old, { revision: 2 }));
    expect(ended).toMatchObject({
      merged_by: { subject_id: 'rita' },
      payload: { superseded_by: made, valid_until_millis: t.clock.now() },
    });
  },
);

// SUP-13
testCase(
  'SUP-C10 what a branch ends holds outside, and a change there is in conflict',
  async (t) => {
    const agent = await t.agent();
    const old = await agent.created(scope);
    const { branch, where } = await inBranch(agent);
    const made = await agent.created(where, successorOf([old, 1]));
    expect([await read(agent, old), await read(agent, old, where)]).toEqual([
      '200',
      refused.noRecord,
    ]);
    result(await agent.update(scope, [old, 1]));
    const { items } = (await compare(agent, branch.id)).page;
    const conflicts = items.map(({ record_id, conflict }) => [record_id, conflict]);
    expect(Object.fromEntries(conflicts)).toEqual({ [old]: 'changed', [made]: null });
  },
);

// SUP-7, SUP-13
testCase('SUP-C11 a merge keeps what ended, and stating it again ends nothing', async (t) => {
  const agent = await t.agent();
  const old = await agent.created(scope);
  const { id, where } = await inBranch(agent);
  result(await agent.update(where, [old, 1]));
  const tried = await agent.created(where);
  const stated = successorOf([old, 2], [tried, 1]);
  const made = await agent.created(where, stated);
  result(await merge(agent, id));
  const endedBy = async (ended: string) => {
    const { page } = result(await agent.revisions(scope, ended));
    return page.items.map(({ revision, payload }) => [revision, payload?.superseded_by]);
  };
  const once = [
    [
      [2, made],
      [1, undefined],
    ],
    [[1, made]],
  ];
  expect([await endedBy(old), await endedBy(tried)]).toEqual(once);
  result(await agent.update(scope, [made, 1], stated));
  expect([await endedBy(old), await endedBy(tried)]).toEqual(once);
});
