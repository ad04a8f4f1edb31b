/** Orders of searches, places of words, and nearest vectors (docs/contract/search.md#sea-24). */
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { record, recordOf, scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pageOf, pagesOf, stored } from './search-fixture.js';

describe('a search', () => {
  testCase('SEA-C13 orders by event, change and words found', async (t) => {
    const agent = await t.agent();
    const ids: string[] = [];
    const made = [
      ['red green', 5],
      ['red', 7],
      ['green', 5],
      ['red green blue', -1],
    ] as const;
    for (const [primary, event_time_millis] of made) {
      ids.push(await agent.created(scope, record({ content: { primary }, event_time_millis })));
      t.clock.advance(1);
    }
    const [one, two, three, four] = ids;
    t.clock.advance(1);
    const again = record({ content: { primary: 'red' }, event_time_millis: 7 });
    result(await agent.update(scope, [two, 1], again));
    const inOrder = async (order: string, members: Members = {}) =>
      (await pagesOf(agent, [scope], { order, limit: 2, ...members })).flat();
    expect(await inOrder('newest_event')).toEqual([two, three, one, four]);
    expect(await inOrder('oldest_event')).toEqual([four, one, three, two]);
    expect(await inOrder('newest_change')).toEqual([two, four, three, one]);
    expect(await inOrder('oldest_change')).toEqual([one, three, four, two]);
    const words = { text: 'RED "green" gr* red', match: 'any' };
    const filter = { words };
    expect(await inOrder('most_words', { filter })).toEqual([four, one, three, two]);
    const { matches } = await pageOf(agent, [scope], { filter, order: 'most_words' });
    expect(matches.map(({ words_found }) => words_found)).toEqual([3, 3, 2, 1]);
  });

  testCase('SEA-C14 goes on with the examination where a page ends', async (t) => {
    const agent = await t.agent();
    const at = (event_time_millis: number) => record({ event_time_millis });
    const ids = await stored(agent, [at(1), at(2), at(3), at(4), at(5)]);
    const search = { order: 'oldest_event', scan_limit: 2, limit: 3 };
    const first = await pageOf(agent, [scope], search);
    expect([first.matches.length, first.scanned_records]).toEqual([0, 2]);
    result(await agent.update(scope, [ids[1], 1], at(5)));
    const second = await pageOf(agent, [scope], { ...search, cursor: first.next_cursor });
    expect([second.matches.length, second.scanned_records]).toEqual([0, 2]);
    const third = await pageOf(agent, [scope], { ...search, cursor: second.next_cursor });
    const found = third.matches.map(({ record: { record_id } }) => record_id);
    expect([found, third.scanned_records]).toEqual([[ids[0], ids[2]], 1]);
    expect(third.next_cursor).not.toBeNull();
    const other = { ...search, limit: 4, cursor: second.next_cursor };
    expect(outcome(await agent.search([scope], other))).toBe(refused.invalid);
  });

  testCase('SEA-C15 needs words for the order by words', async (t) => {
    const agent = await t.agent();
    const answer = await agent.search([scope], { order: 'most_words' });
    expect([outcome(answer), named(answer)]).toEqual([refused.invalid, ['order']]);
  });

  testCase('SEA-C16 says where words and substring are', async (t) => {
    const agent = await t.agent();
    const primary = '😀 Green tea, GREENER Café teas; cafe\u0301s.';
    await agent.created(scope, recordOf({ primary, secondary: 'green' }));
    const marked = async (filter: Members) => {
      const { matches } = await pageOf(agent, [scope], { filter, highlights: true });
      const { record: found, highlights = [] } = matches[0]!;
      const { content } = found.payload;
      return highlights.map(({ member, from, to }) => content[member]?.slice(from, to));
    };
    expect(await marked({})).toEqual([]);
    expect(await marked({ words: { text: 'green' } })).toEqual(['Green', 'green']);
    expect(await marked({ words: { text: 'green*' } })).toEqual(['Green', 'GREENER', 'green']);
    expect(await marked({ words: { text: '"green tea"' } })).toEqual(['Green tea']);
    const ignored = { text: 'cafe cafes', diacritics: 'ignored' };
    expect(await marked({ words: ignored })).toEqual(['Café', 'cafe\u0301s']);
    expect(await marked({ text_contains: 'EA' })).toEqual(['ea', 'ea']);
    const both = { words: { text: 'tea absent', match: 'any' }, text_contains: 'en t' };
    expect(await marked(both)).toEqual(['en tea']);
    const { matches } = await pageOf(agent, [scope], { filter: { words: { text: 'tea' } } });
    expect(matches[0]).not.toHaveProperty('highlights');
  });

  testCase('SEA-C17 finds the nearest embeddings by each metric', async (t) => {
    const agent = await t.agent();
    const embeddings = [[1, 0, 0], [0, 2, 0], null, [1, 1, 0], [], [0, 0, 0], [5, 0, 0]];
    const ids = await stored(
      agent,
      embeddings.map((embedding, index) =>
        record({ content: { primary: 'x', embedding }, tags: [index < 6 ? 'a' : 'b'] }),
      ),
    );
    const found = async (metric: string | undefined, filter: Members = {}) => {
      const vector = { values: [2, 0, 0], ...(metric === undefined ? {} : { metric }) };
      const members = { order: 'nearest', vector, filter, limit: 2 };
      const pages: [number, number][] = [];
      let cursor: string | null = null;
      do {
        const page = await pageOf(agent, [scope], { ...members, cursor });
        for (const {
          record: { record_id },
          distance = Number.NaN,
        } of page.matches) {
          pages.push([ids.indexOf(record_id), distance]);
        }
        cursor = page.next_cursor;
      } while (cursor !== null);
      return pages;
    };
    const half = 1 - 1 / Math.SQRT2;
    const cosine = [
      [6, 0],
      [0, 0],
      [3, expect.closeTo(half, 12)],
      [1, 1],
    ];
    expect(await found(undefined)).toEqual(cosine);
    expect(await found('cosine', { tags: { none: ['b'] } })).toEqual(cosine.slice(1));
    expect(await found('dot')).toEqual([
      [6, -10],
      [3, -2],
      [0, -2],
      [5, 0],
      [1, 0],
    ]);
    expect(await found('euclidean')).toEqual([
      [0, 1],
      [3, Math.SQRT2],
      [5, 2],
      [1, Math.sqrt(8)],
      [6, 3],
    ]);
  });

  testCase('SEA-C18 refuses vectors that cannot be compared', async (t) => {
    const agent = await t.agent();
    const withVector = (values: unknown, members: Members = {}) =>
      agent.search([scope], { order: 'nearest', vector: { values }, ...members });
    const refusals: readonly (readonly [Answer, string])[] = [
      [await agent.search([scope], { order: 'nearest' }), 'order'],
      [await withVector([1], { order: 'newest' }), 'vector'],
      [await withVector([0, 1e-60]), 'vector.values'],
      [await withVector([]), 'vector.values'],
      [await withVector(Array(4_097).fill(1)), 'vector.values'],
    ];
    for (const [answer, path] of refusals) {
      expect([outcome(answer), named(answer)]).toEqual([refused.invalid, [path]]);
    }
    expect(outcome(await withVector(Array(4_096).fill(0.123_456_789)))).toBe('200');
    expect(result(await withVector([1, 0])).page.matches).toEqual([]);
    await agent.created(scope, recordOf({ embedding: [1, 2, 3] }));
    const misfit = await withVector([1, 0]);
    expect([outcome(misfit), named(misfit)]).toEqual([refused.invalid, ['vector.values']]);
    expect(JSON.stringify(misfit.body)).toContain('3 numbers, as embeddings in scopes[0] have');
    await agent.created(scope, recordOf({ embedding: [1, 2] }));
    expect(result(await withVector([1, 0])).page.matches.length).toBe(1);
  });
});
