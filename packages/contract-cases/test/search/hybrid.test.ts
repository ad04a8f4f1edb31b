/** Searches by words and a vector together (docs/contract/search.md#sea-39). */
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { record, scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pageOf, pagesOf, stored } from './search-fixture.js';

const content = (primary: string, embedding: readonly number[] | null) =>
  record({ content: { primary, embedding } });

describe('a search by words and a vector', () => {
  testCase('SEA-70 joins ranks by an offset and a weight', async (t) => {
    const agent = await t.agent();
    const [both, near, word, nearest] = await stored(agent, [
      content('green tea', [0, 1]),
      content('black tea', [1, 0.1]),
      content('green', null),
      content('coffee', [1, 0]),
      content('milk', null),
    ]);
    const hybrid = {
      order: 'hybrid',
      words: { text: 'green tea', match: 'any' },
      vector: { values: [1, 0], metric: 'dot' },
    };
    for (const [join, order] of [
      [null, [near, both, nearest, word]],
      [{}, [near, both, nearest, word]],
      [{ offset: 60, vector_weight: 1 }, [near, both, nearest, word]],
      [{ offset: 1, vector_weight: 0.4 }, [both, near, word, nearest]],
      [{ vector_weight: 0 }, [both, word, near, nearest]],
      [{ offset: 1_000, vector_weight: 10 }, [near, both, nearest, word]],
    ] as const) {
      for (const pages of [{}, { limit: 3 }, { scan_limit: 2 }]) {
        const found = await pagesOf(agent, [scope], { ...hybrid, join, ...pages });
        expect(found.flat()).toEqual(order);
      }
    }
    const joined = { ...hybrid, join: { vector_weight: 0 }, limit: 1 };
    const { next_cursor: cursor } = await pageOf(agent, [scope], joined);
    const explained = await pageOf(agent, [scope], { ...joined, explain_record: nearest });
    expect(explained.record_explanation?.place).toBe(4);
    const refusals: readonly Members[] = [
      { order: 'nearest', words: null, join: {} },
      { join: { offset: 0 } },
      { join: { offset: 1_001 } },
      { join: { offset: 1.5 } },
      { join: { vector_weight: -0.1 } },
      { join: { vector_weight: 10.1 } },
      { join: { words_weight: 1 } },
      { join: {}, cursor },
    ];
    const members = [];
    for (const other of refusals) {
      const answer = await agent.search([scope], { ...joined, ...other });
      members.push([outcome(answer), ...named(answer)]);
    }
    expect(members).toEqual([
      [refused.invalid, 'join'],
      [refused.invalid, 'join.offset'],
      [refused.invalid, 'join.offset'],
      [refused.invalid, 'join.offset'],
      [refused.invalid, 'join.vector_weight'],
      [refused.invalid, 'join.vector_weight'],
      [refused.invalid, 'join.words_weight'],
      [refused.invalid, 'cursor'],
    ]);
  });

  testCase('SEA-C23 joins both ranks by their reciprocals', async (t) => {
    const agent = await t.agent();
    const ids = await stored(agent, [
      content('green tea', [0, 1]),
      content('black tea', [1, 0.1]),
      content('green', null),
      content('coffee', [1, 0]),
      content('milk', null),
    ]);
    const [both, near, word, nearest] = ids;
    const hybrid = {
      order: 'hybrid',
      words: { text: 'green tea', match: 'any' },
      vector: { values: [1, 0], metric: 'dot' },
    };
    const firstPage = await pageOf(agent, [scope], hybrid);
    const { matches, next_cursor, scanned_records, counted_matches } = firstPage;
    expect([next_cursor, scanned_records, counted_matches]).toEqual([null, 5, 3]);
    const shown = matches.map(({ record: { record_id }, ranks, words_found, distance }) => [
      ...[record_id, ranks?.words, ranks?.vector, words_found, distance],
    ]);
    // 1/62 + 1/61, 1/61 + 1/63, 1/61 and 1/62.
    expect(shown).toEqual([
      [near, 2, 1, 1, -1],
      [both, 1, 3, 2, 0],
      [nearest, null, 1, 0, -1],
      [word, 2, null, 1, undefined],
    ]);

    const all = { ...hybrid, words: { text: 'green tea' }, highlights: true };
    const page = await pageOf(agent, [scope], all);
    expect(page.matches.map(({ ranks }) => ranks?.words)).toEqual([1, null, null]);
    expect(page.matches[0]?.highlights?.length).toBe(2);
    const filter = { text_contains: 'tea' };
    expect(await pagesOf(agent, [scope], { ...hybrid, filter })).toEqual([[near, both]]);

    const slow = await pagesOf(agent, [scope], { ...hybrid, scan_limit: 2, limit: 3 });
    // Two pages count, a third one ends with that, and three more rank by words.
    expect(slow).toEqual([[], [], [], [], [], [near, both, nearest], [word]]);

    const first = await pageOf(agent, [scope], { ...hybrid, limit: 2 });
    const next = { ...hybrid, limit: 2, cursor: first.next_cursor };
    result(await agent.update(scope, [word, 1], content('nothing', [1, 0])));
    result(await agent.update(scope, [nearest, 1], content('other', [1, 0])));
    const second = await pageOf(agent, [scope], next);
    expect(second.matches.map(({ record: { record_id } }) => record_id)).toEqual([nearest]);
    expect([second.scanned_records, second.next_cursor]).toEqual([0, null]);
  });

  testCase('SEA-C34 ranks the words by how rare they are', async (t) => {
    const agent = await t.agent();
    const ids = await stored(agent, [
      content('tea', [0, 1]),
      content('tea', null),
      content('saffron', [0, 1]),
      content('tea', null),
      content('nothing', [0, 1]),
    ]);
    const hybrid = {
      order: 'hybrid',
      words: { text: 'which tea saffron', match: 'any', forms: 'english' },
      vector: { values: [1, 0], metric: 'dot' },
    };
    const { matches, counted_matches } = await pageOf(agent, [scope], hybrid);
    expect(counted_matches).toBe(4);
    const shown = matches.map(({ record: { record_id }, ranks, terms }) => [
      ...[ids.indexOf(record_id), ranks?.words, ranks?.vector, terms],
    ]);
    const [rare, often] = [
      { text: 'saffron', records: 1 },
      { text: 'tea', records: 3 },
    ];
    expect(shown).toEqual([
      [2, 1, 1, [rare]],
      [0, 2, 1, [often]],
      [4, null, 1, []],
      [3, 2, null, [often]],
      [1, 2, null, [often]],
    ]);
    const slow = await pagesOf(agent, [scope], { ...hybrid, scan_limit: 2 });
    expect(slow.flat()).toEqual(matches.map(({ record: { record_id } }) => record_id));
  });

  testCase('SEA-C24 needs words and a vector that fits', async (t) => {
    const agent = await t.agent();
    await stored(agent, [content('a', [1, 0]), content('a', [1, 0])]);
    const words = { text: 'a' };
    const vector = { values: [1, 0] };
    const search = (members: Members) => agent.search([scope], { order: 'hybrid', ...members });
    const { next_cursor: cursor } = result(await search({ words, vector, limit: 1 })).page;
    const refusals: readonly (readonly [Answer, string])[] = [
      [await search({ words }), 'order'],
      [await search({ vector }), 'order'],
      [await search({ words, order: 'newest' }), 'words'],
      [await search({ words, vector, order: 'nearest' }), 'words'],
      [await search({ words, vector: { values: [1] } }), 'vector.values'],
      [await search({ words, vector: { values: [0, 0] } }), 'vector.values'],
      [await search({ words: { text: '-' }, vector }), 'words.text'],
      [await search({ words: { text: 'b' }, vector, cursor }), 'cursor'],
      [await search({ words, vector: { values: [1, 1] }, cursor }), 'cursor'],
    ];
    for (const [answer, path] of refusals) {
      expect([outcome(answer), named(answer)]).toEqual([refused.invalid, [path]]);
    }
    expect(result(await search({ words, vector, cursor, limit: 2 })).page.matches.length).toBe(1);
  });
});
