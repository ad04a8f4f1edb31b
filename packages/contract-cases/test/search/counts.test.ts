/** Counts of searches (docs/contract/search.md#sea-33). */
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { minimalRecord, record, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pageOf, stored } from './search-fixture.js';

const DAY = 86_400_000;
const everything = ['type', 'tag', 'author', 'event_day', 'created_day', 'modified_day'];

describe('a search that counts', () => {
  testCase('SEA-C19 counts matches by type, tag, author and day', async (t) => {
    const agent = await t.agent();
    const today = Math.floor(t.clock.now() / DAY) * DAY;
    await stored(agent, [
      record({ tags: ['b', 'b', 'a'], event_time_millis: -1 }),
      record({ tags: ['b'], event_time_millis: 0, episode_type: { Custom: 'Decision' } }),
    ]);
    const late = record({ event_time_millis: DAY - 1, episode_type: 'Decision', tags: ['A'] });
    const others = [late, record({ event_time_millis: DAY })];
    await stored(agent, others, sharedScope);
    const both = [scope, sharedScope];
    const filter = { event_time: { before_millis: DAY } };
    const page = await pageOf(agent, both, { filter, counts: { by: everything } });
    expect([page.matches, page.next_cursor, page.scanned_records]).toEqual([[], null, 4]);
    expect(page.counts).toEqual({
      matches: 3,
      types: [
        { episode_type: 'Decision', matches: 1 },
        { episode_type: 'Observation', matches: 1 },
        { episode_type: { Custom: 'Decision' }, matches: 1 },
      ],
      tags: [
        { tag: 'b', matches: 2 },
        { tag: 'A', matches: 1 },
        { tag: 'a', matches: 1 },
      ],
      authors: [{ subject_id: 'alice', matches: 3 }],
      event_days: [
        { from_millis: 0, matches: 2 },
        { from_millis: -DAY, matches: 1 },
      ],
      created_days: [{ from_millis: today, matches: 3 }],
      modified_days: [{ from_millis: today, matches: 3 }],
    });
    expect((await pageOf(agent, both, { counts: {} })).counts).toEqual({ matches: 4 });

    const search = { filter, counts: { by: ['tag'] }, scan_limit: 3, order: 'oldest' };
    const first = await pageOf(agent, both, search);
    const second = await pageOf(agent, both, { ...search, cursor: first.next_cursor });
    expect([first.counts?.matches, second.counts?.matches]).toEqual([3, 0]);
    expect([second.counts?.tags, second.next_cursor]).toEqual([[], null]);
  });

  testCase('SEA-C20 leaves no group out, and ends a page before too many', async (t) => {
    const agent = await t.agent();
    const tagged = (from: number, count: number) =>
      record({ tags: Array.from({ length: count }, (_, index) => String(from + index)) });
    const ids = await stored(agent, [
      ...[tagged(0, 1_001), minimalRecord, tagged(2_000, 999), tagged(0, 2), tagged(2_000, 1)],
    ]);
    const numbers: (readonly [matches: number, groups: number, scanned: number])[] = [];
    let cursor: string | null = null;
    do {
      const page = await pageOf(agent, [scope], {
        counts: { by: ['tag'] },
        order: 'oldest',
        cursor,
      });
      numbers.push([page.counts!.matches, page.counts!.tags!.length, page.scanned_records]);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(ids.length).toBe(5);
    expect(numbers).toEqual([
      [2, 1_001, 2],
      [1, 999, 1],
      [2, 3, 2],
    ]);
  });

  testCase('SEA-C21 refuses counts that go by no ids, or by something twice', async (t) => {
    const agent = await t.agent();
    await stored(agent, [minimalRecord, minimalRecord]);
    const counts = { by: ['tag'] };
    const { next_cursor: cursor } = await pageOf(agent, [scope], { counts, scan_limit: 1 });
    const search = (members: Members) => agent.search([scope], members);
    const vector = { values: [1] };
    const refusals: readonly (readonly [Answer, string])[] = [
      [await search({ counts, order: 'newest_event' }), 'order'],
      [await search({ counts, order: 'nearest', vector }), 'order'],
      [await search({ counts: { by: ['tag', 'tag'] } }), 'counts.by'],
      [await search({ counts: { by: ['name'] } }), 'counts.by[0]'],
      [await search({ counts: {}, cursor }), 'cursor'],
      [await search({ cursor }), 'cursor'],
    ];
    for (const [answer, path] of refusals) {
      expect([outcome(answer), named(answer)]).toEqual([refused.invalid, [path]]);
    }
    expect((await pageOf(agent, [scope], { counts, cursor })).counts?.matches).toBe(1);
  });
});
