/** What branches changed, and merges of it (docs/contract/branches.md#bra-17). */
import { describe, expect } from 'vitest';
import { membersNamed, outcome, refused, result } from '../harness/answer.js';
import { scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { compare, inBranch, merge, texted, textsIn } from './harness.js';

describe('what a branch changed', () => {
  // BRA-17, BRA-19, BRA-20, BRA-22
  testCase('BRA-C9 is listed once, with what it was and is', async (t) => {
    const agent = await t.agent();
    const changed = await agent.created(scope, texted('changed'));
    const deleted = await agent.created(scope, texted('deleted'));
    const untouched = await agent.created(scope, texted('untouched'));
    const { id, where } = await inBranch(agent);
    const before = await compare(agent, id);
    expect(before.page.items).toEqual([]);
    result(await agent.update(where, [changed, 1], texted('changed here')));
    result(await agent.delete(where, [deleted, 1]));
    const made = await agent.created(where, texted('made'));
    const brief = await agent.created(where, texted('brief'));
    result(await agent.delete(where, [brief, 1]));
    result(await agent.update(scope, [untouched, 1], texted('outside')));
    const { digest, page } = await compare(agent, id);
    expect(digest).not.toBe(before.digest);
    expect(page.items).toMatchObject([
      {
        scope,
        record_id: changed,
        base_revision: 1,
        branch_revision: 2,
        current_revision: 1,
        conflict: null,
        base: { payload: { content: { primary: 'changed' } } },
        branch: { payload: { content: { primary: 'changed here' } } },
        current: { payload: { content: { primary: 'changed' } } },
      },
      { record_id: deleted, base_revision: 1, branch_revision: 2, branch: null },
      { record_id: made, base_revision: null, current_revision: null, base: null, current: null },
    ]);
    const paged: unknown[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null;) {
      const at: object = cursor === null ? {} : { cursor };
      const some = await compare(agent, id, { limit: 1, ...at });
      paged.push(...some.page.items);
      expect(some.digest).toBe(digest);
      cursor = some.page.next_cursor;
      isFirst = false;
    }
    expect(paged).toEqual(page.items);
  });
});

describe('a merge', () => {
  // BRA-23, BRA-24, BRA-26
  testCase('BRA-C10 makes it memory, once', async (t) => {
    const agent = await t.agent();
    const changed = await agent.created(scope, texted('changed'));
    const deleted = result(await agent.put(scope, 'n', { record: texted('deleted') })).receipt;
    const { id, where } = await inBranch(agent);
    result(await agent.update(where, [changed, 1], texted('once')));
    result(await agent.update(where, [changed, 2], texted('twice')));
    result(await agent.remove(where, 'n'));
    const made = result(await agent.put(where, 'n', { record: texted('made') })).receipt.record_id;
    const { digest } = await compare(agent, id);
    t.clock.advance(1_000);
    const members = { idempotency_key: 'one', digest };
    const { merge: first } = result(await merge(agent, id, members));
    expect(first).toEqual({ state: 'merged', merged: 3, left: 0, conflicts: [] });
    expect(await textsIn(agent, scope)).toEqual(['made', 'twice']);
    const record = result(await agent.read(scope, changed)).record;
    expect(record).toMatchObject({ revision: 2, modified_at_millis: t.clock.now() });
    expect(result(await agent.readNamed(scope, 'n')).record).toMatchObject({
      record_id: made,
      revision: 1,
      merged_by: { credential_id: agent.id, subject_id: 'alice' },
    });
    expect(outcome(await agent.read(scope, deleted.record_id))).toBe(refused.noRecord);
    expect((await compare(agent, id)).page.items).toEqual([]);
    expect(result(await merge(agent, id, members)).merge).toEqual(first);
    const other = await merge(agent, id, { ...members, records: [changed] });
    expect(outcome(other)).toBe('409 idempotency_conflict');
    await agent.created(where, texted('later'));
    const stale = await merge(agent, id, { digest });
    expect(outcome(stale)).toBe(refused.stale);
    expect(membersNamed(stale)).toEqual(['digest']);
    expect(await textsIn(agent, scope)).toEqual(['made', 'twice']);
    const { page } = result(await agent.changes(scope));
    expect(
      page.changes
        .slice(-3)
        .map(({ action }) => action)
        .toSorted(),
    ).toEqual(['created', 'deleted', 'updated']);
    expect(result(await agent.revisions(scope, changed)).page.items[0]).toMatchObject({
      merged_by: { subject_id: 'alice' },
    });
  });

  // BRA-21, BRA-25
  testCase('BRA-C11 lists conflicts and guesses nothing', async (t) => {
    const agent = await t.agent();
    const changed = await agent.created(scope, texted('changed'));
    const other = await agent.created(scope, texted('other'));
    const { id, where } = await inBranch(agent);
    result(await agent.update(where, [changed, 1], texted('here')));
    result(await agent.update(where, [other, 1], texted('other here')));
    const named = result(await agent.put(where, 'n', { record: texted('named here') })).receipt;
    result(await agent.update(scope, [changed, 1], texted('there')));
    await agent.put(scope, 'n', { record: texted('named there') });
    const refusedMerge = result(await merge(agent, id)).merge;
    expect(refusedMerge).toMatchObject({ state: 'conflicts', merged: 0, left: 3 });
    expect(refusedMerge.conflicts).toMatchObject([
      { record_id: changed, base_revision: 1, current_revision: 2, reason: 'changed' },
      { record_id: named.record_id, base_revision: null, reason: 'name_taken' },
    ]);
    expect(await textsIn(agent, scope)).toEqual(['named there', 'other', 'there']);
    const some = result(await merge(agent, id, { records: [other] })).merge;
    expect(some).toMatchObject({ state: 'merged', merged: 1 });
    expect(await textsIn(agent, scope)).toEqual(['named there', 'other here', 'there']);
    result(await agent.remove(scope, 'n'));
    const freed = result(await merge(agent, id, { records: [named.record_id] })).merge;
    expect(freed).toMatchObject({ state: 'merged', merged: 1 });
  });

  // BRA-27, BRA-28
  testCase('BRA-C12 can be tried, and a branch goes on after it', async (t) => {
    const agent = await t.agent();
    const { id, where } = await inBranch(agent);
    const made = await agent.created(where, texted('made'));
    const tried = result(await merge(agent, id, { dry_run: true })).merge;
    expect(tried).toEqual({ state: 'checked', merged: 0, left: 1, conflicts: [] });
    expect(await textsIn(agent, scope)).toEqual([]);
    result(await merge(agent, id));
    result(await agent.update(where, [made, 1], texted('again')));
    const [item] = (await compare(agent, id)).page.items;
    expect(item).toMatchObject({ base_revision: 1, branch_revision: 2, conflict: null });
    result(await merge(agent, id));
    expect(result(await agent.read(scope, made)).record.revision).toBe(2);
    result(await agent.update(where, [made, 2], texted('more')));
    result(await agent.delete(scope, [made, 2]));
    expect(result(await merge(agent, id)).merge).toMatchObject({ state: 'conflicts' });
  });

  // BRA-18
  testCase('BRA-C13 has the author of the branch and who merged it', async (t) => {
    const other = { ...sharedScope, project_id: 'other' };
    const grants = [sharedScope, other];
    const agent = await t.agent({ grants });
    const { id } = await inBranch(agent, { scopes: grants });
    const made = await agent.created({ ...sharedScope, branch: id }, texted('shared'));
    const bob = await t.agent({ subject_id: 'bob', grants });
    result(await merge(bob, id));
    expect(result(await bob.read(sharedScope, made)).record).toMatchObject({
      author: { credential_id: agent.id, subject_id: 'alice' },
      merged_by: { credential_id: bob.id, subject_id: 'bob' },
    });
    const queried = result(await bob.query(sharedScope)).page.records;
    expect(queried[0]).toMatchObject({ merged_by: { subject_id: 'bob' } });
    const reader = await t.agent({ capabilities: ['memory_read'], grants });
    expect(outcome(await merge(reader, id))).toBe(refused.forbidden);
    const narrow = await t.agent({ grants: [sharedScope] });
    const digest = 'A'.repeat(43);
    const document = { contract_version: 1, idempotency_key: 'k', digest };
    const hidden = await narrow.call('mergeMemoryBranch', { id, document });
    expect(outcome(hidden)).toBe('404 branch_not_found');
  });

  // BRA-25
  testCase('BRA-C14 of many records goes in slices', async (t) => {
    const agent = await t.agent();
    const { id, where } = await inBranch(agent);
    const change = (n: number) => ({ type: 'create', record: texted(`r${n}`) });
    for (let n = 0; n < 300; n += 100) {
      const some = Array.from({ length: 100 }, (_, index) => [where, change(n + index)] as const);
      result(await agent.batch(some));
    }
    const { digest } = await compare(agent, id);
    let state = 'running';
    let merged = 0;
    while (state === 'running') {
      const answer = result(await merge(agent, id, { idempotency_key: 'many', digest })).merge;
      expect(answer.merged + answer.left).toBe(300);
      ({ state, merged } = answer);
    }
    expect([state, merged]).toEqual(['merged', 300]);
    const counted = result(await agent.search([scope], { counts: {} })).page.counts;
    expect(counted?.matches).toBe(300);
  });
});
