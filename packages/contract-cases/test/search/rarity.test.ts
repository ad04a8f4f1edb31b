/** The order by rarity and the forms of words (docs/contract/search.md#sea-47). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pageOf, pagesOf, stored } from './search-fixture.js';

const texts = ['tea', 'tea and milk', 'tea', 'tea and rum', 'milk', 'water'];
const question = { words: { text: 'rum milk tea', match: 'any' } };

describe('the order rarest_words', () => {
  testCase('SEA-C27 puts the rarest terms first, and says how rare they are', async (t) => {
    const agent = await t.agent();
    const ids = await stored(
      agent,
      texts.map((primary) => recordOf({ primary })),
    );
    const search = { filter: question, order: 'rarest_words' };
    const { matches, counted_matches } = await pageOf(agent, [scope], search);
    expect(counted_matches).toBe(5);
    const found = matches.map(({ record: { record_id }, terms }) => [record_id, terms]);
    const [rum, milk, tea] = [
      { text: 'rum', records: 1 },
      { text: 'milk', records: 2 },
      { text: 'tea', records: 4 },
    ];
    expect(found).toEqual([
      [ids[3], [rum, tea]],
      [ids[1], [milk, tea]],
      [ids[4], [milk]],
      [ids[2], [tea]],
      [ids[0], [tea]],
    ]);
    const inOrder = found.map(([id]) => id);
    expect((await pagesOf(agent, [scope], { ...search, limit: 2 })).flat()).toEqual(inOrder);
    expect((await pagesOf(agent, [scope], { ...search, scan_limit: 4 })).flat()).toEqual(inOrder);
    expect((await pagesOf(agent, [scope], { ...search, scan_limit: 3, limit: 2 })).flat()).toEqual(
      inOrder,
    );
  });

  testCase('SEA-C28 counts once for all pages, over all scopes', async (t) => {
    const agent = await t.agent();
    await agent.created(scope, recordOf({ primary: 'tea' }));
    await agent.created(sharedScope, recordOf({ primary: 'milk' }));
    await agent.created(sharedScope, recordOf({ primary: 'milk' }));
    const search = { filter: question, order: 'rarest_words', limit: 1 };
    const scopes = [scope, sharedScope];
    const first = await pageOf(agent, scopes, search);
    expect(first.matches[0]?.terms).toEqual([{ text: 'tea', records: 1 }]);
    await agent.created(scope, recordOf({ primary: 'milk' }));
    const second = await pageOf(agent, scopes, { ...search, cursor: first.next_cursor });
    expect(second.matches[0]?.terms).toEqual([{ text: 'milk', records: 2 }]);
  });

  testCase('SEA-C29 needs words, and a cursor of the same search', async (t) => {
    const agent = await t.agent();
    const answer = await agent.search([scope], { order: 'rarest_words' });
    expect([outcome(answer), named(answer)]).toEqual([refused.invalid, ['order']]);
    await stored(
      agent,
      texts.map((primary) => recordOf({ primary })),
    );
    const search = { filter: question, order: 'rarest_words', limit: 2 };
    const { next_cursor: cursor } = await pageOf(agent, [scope], search);
    for (const other of [{ limit: 3 }, { order: 'most_words' }, { cursor: `${cursor}x` }]) {
      const refusal = await agent.search([scope], { ...search, cursor, ...other });
      expect([outcome(refusal), named(refusal)]).toEqual([refused.invalid, ['cursor']]);
    }
  });
});

describe('forms of words', () => {
  const inEnglish = (text: string, more = {}) => ({ words: { text, forms: 'english', ...more } });

  testCase('SEA-C30 finds all forms of a word, leaves stop words out', async (t) => {
    const agent = await t.agent();
    const ids = await stored(
      agent,
      ['She runs every day.', 'A runner', 'We ran', 'the'].map((primary) => recordOf({ primary })),
    );
    const found = async (filter: object) =>
      (await pagesOf(agent, [scope], { filter, order: 'oldest' })).flat();
    expect(await found(inEnglish('What was Ann running?', { match: 'any' }))).toEqual([ids[0]]);
    expect(await found(inEnglish('the running'))).toEqual([ids[0]]);
    expect(await found(inEnglish('the'))).toEqual([ids[3]]);
    expect(await found(inEnglish('runn*'))).toEqual([ids[1]]);
    expect(await found(inEnglish('"she run"'))).toEqual([]);
    expect(await found({ words: { text: 'running' } })).toEqual([]);
    const filter = inEnglish('RUNNING');
    const { matches } = await pageOf(agent, [scope], { filter, highlights: true });
    expect(matches[0]?.highlights).toEqual([{ member: 'primary', from: 4, to: 8 }]);
    const wrong = await agent.search([scope], {
      filter: { words: { text: 'x', forms: 'klingon' } },
    });
    expect(outcome(wrong)).toBe(refused.invalid);
  });

  testCase('SEA-C31 counts all forms of a word as one term', async (t) => {
    const agent = await t.agent();
    await stored(
      agent,
      ['run', 'runs', 'tea'].map((primary) => recordOf({ primary })),
    );
    const filter = inEnglish('running runs tea', { match: 'any' });
    const { matches } = result(await agent.search([scope], { filter, order: 'rarest_words' })).page;
    expect(matches.map(({ terms }) => terms)).toEqual([
      [{ text: 'tea', records: 1 }],
      [{ text: 'running', records: 2 }],
      [{ text: 'running', records: 2 }],
    ]);
  });
});
