/** The order for questions (docs/contract/search.md#sea-65). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pageOf, pagesOf, stored } from './search-fixture.js';

const MINUTE_MS = 60_000;
const question = { words: { text: 'rum milk tea', match: 'any' } };
const search = { filter: question, order: 'best_words' };

/** Texts, each with the minute of its event. */
const told = [
  ['tea', 0],
  ['tea tea', 10],
  ['tea tea tea tea tea', 20],
  [`tea ${'and so on '.repeat(40)}`, 30],
  ['milk and water', 40],
  ['tea then', 42],
  ['rum', 45],
] as const;

const saidAt = (primary: string, event_time_millis: number) => {
  return { ...recordOf({ primary }), event_time_millis };
};
const records = told.map(([primary, minute]) => saidAt(primary, MINUTE_MS * minute));

describe('the order best_words', () => {
  testCase('SEA-C38 weighs times, length and neighbours', async (t) => {
    const agent = await t.agent();
    const ids = await stored(agent, records);
    const { matches, counted_matches } = await pageOf(agent, [scope], search);
    expect(counted_matches).toBe(7);
    const found = matches.map(({ record: { record_id }, terms, nearby }) => [
      ids.indexOf(record_id),
      terms,
      nearby,
    ]);
    const tea = { text: 'tea', records: 5 };
    const milk = { text: 'milk', records: 1 };
    expect(found).toEqual([
      [4, [{ ...milk, times: 1 }], [tea]],
      [6, [{ text: 'rum', records: 1, times: 1 }], []],
      [5, [{ ...tea, times: 1 }], [milk]],
      [2, [{ ...tea, times: 4 }], []],
      [1, [{ ...tea, times: 2 }], []],
      [0, [{ ...tea, times: 1 }], []],
      [3, [{ ...tea, times: 1 }], []],
    ]);
    const inOrder = matches.map(({ record }) => record.record_id);
    for (const more of [{ limit: 2 }, { scan_limit: 4 }, { scan_limit: 3, limit: 2 }]) {
      expect((await pagesOf(agent, [scope], { ...search, ...more })).flat()).toEqual(inOrder);
    }
  });

  testCase('SEA-66 has neighbours within a scope and two minutes only', async (t) => {
    const agent = await t.agent();
    await agent.created(scope, saidAt('tea', 0));
    await agent.created(sharedScope, saidAt('milk', 0));
    await agent.created(scope, saidAt('rum', 2 * MINUTE_MS));
    await agent.created(scope, saidAt('milk', 4 * MINUTE_MS + 1));
    const { matches } = await pageOf(agent, [scope, sharedScope], search);
    const near = matches.map(({ record, nearby = [] }) => [
      record.payload.content.primary,
      nearby.map(({ text }) => text),
    ]);
    expect(near.sort()).toEqual([
      ['milk', []],
      ['milk', []],
      ['rum', ['tea']],
      ['tea', ['rum']],
    ]);
  });

  testCase('SEA-C39 keeps its order, and leaves out what was changed', async (t) => {
    const agent = await t.agent();
    const ids = await stored(agent, records);
    const inOrder = (await pagesOf(agent, [scope], search)).flat();
    const first = await pageOf(agent, [scope], { ...search, limit: 2 });
    const [changed = ''] = inOrder.slice(3);
    result(await agent.update(scope, [changed, 1], recordOf({ primary: 'tea rum milk' })));
    await agent.created(scope, recordOf({ primary: 'rum milk tea' }));
    const { next_cursor: cursor } = first;
    const second = await pageOf(agent, [scope], { ...search, limit: 50, cursor });
    const left = inOrder.slice(2).filter((id) => id !== changed);
    expect(second.matches.map(({ record }) => record.record_id)).toEqual(left);
    expect([second.next_cursor, second.scanned_records]).toEqual([null, 0]);
    expect(ids).toContain(changed);
  });

  testCase('SEA-C40 needs words, and a cursor of the same search', async (t) => {
    const agent = await t.agent();
    const answer = await agent.search([scope], { order: 'best_words' });
    expect([outcome(answer), named(answer)]).toEqual([refused.invalid, ['order']]);
    await stored(agent, records);
    const { next_cursor: cursor } = await pageOf(agent, [scope], { ...search, limit: 2 });
    const others = [
      { order: 'rarest_words' },
      { filter: { words: { text: 'tea', match: 'any' } } },
      { cursor: `${cursor}x` },
    ];
    for (const other of others) {
      const refusal = await agent.search([scope], { ...search, cursor, limit: 2, ...other });
      expect([outcome(refusal), named(refusal)]).toEqual([refused.invalid, ['cursor']]);
    }
  });

  testCase('SEA-C41 ranks 300 matches', async (t) => {
    const agent = await t.agent();
    const many = Array.from({ length: 301 }, (_, at) => saidAt('tea', 10 * MINUTE_MS * at));
    const ids = await stored(agent, many);
    const pages = await pagesOf(agent, [scope], { ...search, limit: 100 });
    expect(pages.flat()).toEqual(ids.slice(1).reverse());
    for (const [id, place] of [
      [ids.at(-1), 1],
      [ids[0], null],
    ]) {
      const { record_explanation } = await pageOf(agent, [scope], {
        ...search,
        explain_record: id,
      });
      expect(record_explanation?.place).toBe(place);
    }
  });
});
