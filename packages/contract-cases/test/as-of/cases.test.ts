/** Memory as it was at a time or at a position (docs/contract/as-of.md#aso-1). */
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { record, scope, sharedScope, ungranted } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

const GONE = '410 history_gone';
const DAY_MS = 86_400_000;
const texted = (primary: string, members: Members = {}): Members =>
  record({ content: { primary }, ...members });

/** Returns a cursor after all that is committed, and when that was. */
async function mark(t: Fixture, agent: Caller) {
  const { page } = result(await agent.changes({ after: 'latest' }));
  const at = t.clock.now();
  t.clock.advance(1_000);
  return { cursor: page.next_after, millis: at };
}

/** Texts of a scope as of a state, by each of the ways to find them. */
async function textsIn(agent: Caller, as_of: Members | null, where: Members = scope) {
  const queried = result(await agent.query(where, undefined, { as_of })).page.records;
  const searched = result(await agent.search([where], { as_of, order: 'oldest' })).page;
  const counted = result(await agent.search([where], { as_of, counts: {} })).page.counts;
  const texts = queried.map(({ payload }) => payload.content.primary);
  expect(searched.matches.map((match) => match.record)).toEqual(queried);
  expect(counted?.matches).toBe(texts.length);
  return texts;
}

const textsOf = ({ matches }: { readonly matches: readonly { readonly record: Shown }[] }) =>
  matches.map(({ record: { payload } }) => payload.content.primary);

interface Shown {
  readonly payload: { readonly content: { readonly primary: string } };
}

const completeFrom = ({ body }: Answer) =>
  (body as { complete_from_millis?: number }).complete_from_millis;

describe('as of', () => {
  testCase('ASO-C1 each state is as it was, by cursor and by time', async (t) => {
    const agent = await t.agent();
    result(await t.admin.setRetention({ deleted_days: 9 }));
    const before = await mark(t, agent);
    const id = await agent.created(scope, texted('one'));
    const created = await mark(t, agent);
    result(await agent.update(scope, [id, 1], texted('two')));
    await agent.created(scope, texted('three'));
    const updated = await mark(t, agent);
    result(await agent.delete(scope, [id, 2]));
    const states: [typeof before, string[]][] = [
      [before, []],
      [created, ['one']],
      [updated, ['two', 'three']],
      [await mark(t, agent), ['three']],
    ];
    for (const [{ cursor, millis }, texts] of states) {
      expect(await textsIn(agent, { cursor })).toEqual(texts);
      expect(await textsIn(agent, { millis })).toEqual(texts);
    }
    const at = async (members: Members) => {
      const answer = await agent.readAt(scope, id, members);
      return answer.status === 200
        ? result(answer).record.payload.content.primary
        : outcome(answer);
    };
    expect(await at({ as_of_cursor: before.cursor })).toBe(refused.noRecord);
    expect(await at({ as_of_cursor: created.cursor })).toBe('one');
    expect(await at({ as_of_millis: created.millis })).toBe('one');
    expect(await at({ as_of_cursor: updated.cursor })).toBe('two');
    const explained = await agent.search([scope], {
      as_of: { cursor: created.cursor },
      explain_record: id,
    });
    expect(result(explained).page.record_explanation).toMatchObject({ matches: true, place: 1 });
  });

  testCase('ASO-C2 a name is that of the record that had it', async (t) => {
    const agent = await t.agent();
    result(await t.admin.setRetention({ deleted_days: 9 }));
    const before = await mark(t, agent);
    result(await agent.put(scope, 'n', { record: texted('first') }));
    const first = await mark(t, agent);
    result(await agent.remove(scope, 'n'));
    const none = await mark(t, agent);
    result(await agent.put(scope, 'n', { record: texted('second') }));
    const second = await mark(t, agent);
    const named = async (members: Members) => {
      const answer = await agent.readNamed(scope, 'n', members);
      return answer.status === 200
        ? result(answer).record.payload.content.primary
        : outcome(answer);
    };
    const told = [
      [before, refused.noRecord],
      [first, 'first'],
      [none, refused.noRecord],
      [second, 'second'],
    ] as const;
    for (const [{ cursor, millis }, text] of told) {
      expect(await named({ as_of_cursor: cursor })).toBe(text);
      expect(await named({ as_of_millis: millis })).toBe(text);
    }
  });

  testCase('ASO-C3 what had expired then is not there, and both times can be asked', async (t) => {
    const agent = await t.agent();
    const start = t.clock.now();
    await agent.created(
      scope,
      texted('short', { event_time_millis: start - 500, valid_until_millis: start + 1_500 }),
    );
    const early = await mark(t, agent);
    t.clock.advance(2_000);
    await agent.created(scope, texted('late', { event_time_millis: t.clock.now() }));
    const late = await mark(t, agent);
    expect(await textsIn(agent, { millis: start })).toEqual(['short']);
    expect(await textsIn(agent, { cursor: early.cursor })).toEqual(['short']);
    expect(await textsIn(agent, { cursor: late.cursor })).toEqual(['late']);
    expect(await textsIn(agent, { millis: start + 1_500 })).toEqual([]);
    const valid = async (millis: number, valid_at_millis: number) => {
      const filter = { valid_at_millis, expired: 'included' };
      const answer = await agent.search([scope], { as_of: { millis }, filter });
      return result(answer).page.matches.length;
    };
    expect(await valid(start, start - 600)).toBe(0);
    expect(await valid(start, start)).toBe(1);
    expect(await valid(late.millis, start)).toBe(1);
    expect(await valid(late.millis, late.millis)).toBe(1);
    expect(await valid(start, late.millis)).toBe(0);
  });

  testCase('ASO-C4 what is asked for wrongly is refused', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope, texted('one'));
    const { cursor, millis } = await mark(t, agent);
    const foreign = await (
      await t.foreignAdmin()
    ).appoint({
      subject_id: 'bob',
      capabilities: ['memory_read'],
      grants: [scope],
    });
    const other = result(await foreign.changes({ after: 'latest' })).page.next_after;
    for (const as_of of [
      { cursor, millis },
      {},
      { millis: -1 },
      { cursor: 'x' },
      { cursor: other },
    ]) {
      expect(outcome(await agent.query(scope, undefined, { as_of }))).toBe(refused.invalid);
      expect(outcome(await agent.search([scope], { as_of }))).toBe(refused.invalid);
    }
    const both = { as_of_cursor: cursor, as_of_millis: millis };
    expect(outcome(await agent.readNamed(scope, 'n', both))).toBe(refused.invalid);
    expect(outcome(await agent.readAt(scope, id, both))).toBe(refused.invalid);
    const revision = { as_of_cursor: cursor, revision: 1 };
    expect(outcome(await agent.readAt(scope, id, revision))).toBe(refused.invalid);
    expect(await textsIn(agent, { millis: t.clock.now() + DAY_MS })).toEqual(['one']);
  });

  testCase('ASO-C5 what is no longer kept is said, with the time from which all is', async (t) => {
    const agent = await t.agent();
    const [id, kept] = [
      await agent.created(scope, texted('one')),
      await agent.created(scope, texted('kept')),
    ];
    result(await agent.update(scope, [kept, 1], texted('kept too')));
    const state = await mark(t, agent);
    const deletedAt = t.clock.now();
    result(await agent.delete(scope, [id, 1]));
    t.clock.advance(1_000);
    for (const as_of of [{ cursor: state.cursor }, { millis: state.millis }]) {
      const answer = await agent.query(scope, undefined, { as_of });
      expect(outcome(answer)).toBe(GONE);
      expect(completeFrom(answer)).toBe(deletedAt);
      expect(outcome(await agent.search([scope], { as_of }))).toBe(GONE);
    }
    expect(await textsIn(agent, { millis: deletedAt })).toEqual(['kept too']);
    const at = { as_of_cursor: state.cursor };
    expect(outcome(await agent.readAt(scope, id, at))).toBe(GONE);
    expect(outcome(await agent.readAt(scope, kept, at))).toBe('200');
    const updatedAt = t.clock.now();
    result(await agent.update(scope, [kept, 2], texted('other')));
    expect(outcome(await agent.readAt(scope, kept, at))).toBe('200');
    result(await agent.redact(scope, kept, 2));
    const redacted = await agent.readAt(scope, kept, at);
    expect([outcome(redacted), completeFrom(redacted)]).toEqual([GONE, updatedAt]);
  });

  testCase('ASO-C9 records of which nothing is kept are left out and counted', async (t) => {
    const agent = await t.agent();
    const [gone, redacted] = [
      await agent.created(scope, texted('one')),
      await agent.created(scope, texted('two')),
    ];
    await agent.created(scope, texted('kept'));
    await agent.created(sharedScope, texted('ours'));
    const { cursor, millis } = await mark(t, agent);
    const pageAs = async (as_of: Members) =>
      result(await agent.search([scope, sharedScope], { as_of, order: 'oldest' })).page;
    const states = [{ cursor }, { millis }];
    const all = ['one', 'two', 'kept', 'ours'];
    for (const state of states) {
      const page = await pageAs({ ...state, missing: 'left_out' });
      expect([page.missing_records, textsOf(page)]).toEqual([0, all]);
      expect((await pageAs(state)).missing_records).toBeUndefined();
    }
    const deletedAt = t.clock.now();
    result(await agent.delete(scope, [gone, 1]));
    t.clock.advance(1_000);
    result(await agent.update(scope, [redacted, 1], texted('changed')));
    result(await agent.redact(scope, redacted, 1));
    for (const state of states) {
      const as_of = { ...state, missing: 'left_out' };
      expect(outcome(await agent.query(scope, undefined, { as_of: state }))).toBe(GONE);
      const page = await pageAs(as_of);
      expect([page.missing_records, textsOf(page)]).toEqual([2, ['kept', 'ours']]);
      expect(await textsIn(agent, as_of)).toEqual(['kept']);
      const queried = await agent.query(scope, undefined, { as_of });
      expect(result(queried).page.missing_records).toBe(2);
      const refusedToo = { ...state, missing: 'refused' };
      expect(outcome(await agent.search([scope], { as_of: refusedToo }))).toBe(GONE);
      expect(outcome(await agent.search([scope], { as_of: state }))).toBe(GONE);
      const wrong = { ...state, missing: 'shown' };
      expect(outcome(await agent.search([scope], { as_of: wrong }))).toBe(refused.invalid);
    }
    const later = await pageAs({ millis: deletedAt, missing: 'left_out' });
    expect([later.missing_records, textsOf(later)]).toEqual([1, ['kept', 'ours']]);
    const first = { as_of: { cursor, missing: 'left_out' }, limit: 1 };
    const { next_cursor } = result(await agent.search([scope, sharedScope], first)).page;
    const strict = { as_of: { cursor }, limit: 1, cursor: next_cursor };
    expect(outcome(await agent.search([scope, sharedScope], strict))).toBe(refused.invalid);
  });

  testCase('ASO-C6 pages are those of the state while records change', async (t) => {
    const agent = await t.agent();
    const ids: string[] = [];
    for (let at = 0; at < 6; at += 1) ids.push(await agent.created(scope, texted(`text ${at}`)));
    const { cursor, millis } = await mark(t, agent);
    const found: string[] = [];
    let next: string | null = null;
    for (let at = 0; at < 6; at += 1) {
      const page: {
        matches: { record: { record_id: string; revision: number } }[];
        next_cursor: string | null;
      } = result(
        await agent.search([scope], { as_of: { cursor }, order: 'oldest', limit: 1, cursor: next }),
      ).page;
      found.push(...page.matches.map(({ record }) => `${record.record_id} ${record.revision}`));
      next = page.next_cursor;
      result(await agent.update(scope, [ids[5 - at], 1], texted('later')));
      await agent.created(scope, texted('new'));
      if (at !== 2) continue;
      const wrong = { as_of: { millis }, order: 'oldest', limit: 1, cursor: next };
      expect(outcome(await agent.search([scope], wrong))).toBe(refused.invalid);
    }
    expect(found).toEqual(ids.map((id) => `${id} 1`));
  });

  testCase('ASO-C7 several scopes are of one state, for who may read them now', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope, texted('mine'));
    await agent.created(sharedScope, texted('ours'));
    const { cursor } = await mark(t, agent);
    result(await agent.update(scope, [id, 1], texted('changed')));
    const as_of = { cursor };
    const { matches } = result(await agent.search([scope, sharedScope], { as_of })).page;
    const texts = matches.map(({ record: { payload } }) => payload.content.primary);
    expect(texts).toEqual(['ours', 'mine']);
    const forbidden = await agent.search([scope, ungranted], { as_of });
    expect(outcome(forbidden)).toBe(refused.forbidden);
    result(await t.admin.revoke(agent.id, 1));
    expect(outcome(await agent.search([scope], { as_of }))).toBe(refused.unauthorized);
  });

  testCase('ASO-C8 what age, number or expiry took is gone', async (t) => {
    const agent = await t.agent();
    result(await t.admin.setRetention({ revisions_max: 2, revision_days: 5, expired_days: 3 }));
    const id = await agent.created(scope, texted('one'));
    const first = await mark(t, agent);
    result(await agent.update(scope, [id, 1], texted('two')));
    const second = await mark(t, agent);
    const read = async (cursor: string) =>
      outcome(await agent.query(scope, undefined, { as_of: { cursor } }));
    expect(await read(first.cursor)).toBe('200');
    result(await agent.update(scope, [id, 2], texted('three')));
    result(await agent.update(scope, [id, 3], texted('four')));
    expect([await read(first.cursor), await read(second.cursor)]).toEqual([GONE, '200']);
    t.clock.advance(4 * DAY_MS);
    expect(await read(second.cursor)).toBe(GONE);
    result(await t.admin.setRetention({ revisions_max: 2, revision_days: 5 }, 1));
    expect(await read(second.cursor)).toBe('200');
    t.clock.advance(2 * DAY_MS);
    expect(await read(second.cursor)).toBe(GONE);
  });

  testCase('ASO-7, ASO-8 embeddings that came later are compared, entries counted', async (t) => {
    const agent = await t.agent();
    const ids = [await agent.created(scope, texted('a')), await agent.created(scope, texted('b'))];
    const { cursor } = await mark(t, agent);
    result(await agent.attach(scope, [[ids[0], 1, [1, 0]]]));
    await agent.created(scope, texted('c'));
    const as_of = { cursor };
    const near = await agent.search([scope], {
      as_of,
      order: 'nearest',
      vector: { values: [1, 0] },
    });
    const { matches, scanned_records } = result(near).page;
    expect(matches.map(({ record }) => record.record_id)).toEqual([ids[0]]);
    expect(scanned_records).toBe(2);
    const first = result(await agent.search([scope], { as_of, scan_limit: 1 })).page;
    expect([first.scanned_records, first.matches.length]).toEqual([1, 1]);
  });
});
