/** The best passages of long texts (docs/contract/search.md#sea-68). */
import { describe, expect } from 'vitest';
import { outcome, refused } from '../harness/answer.js';
import { recordOf, scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pageOf, stored } from './search-fixture.js';

const words = { words: { text: 'saffron harbour', match: 'any', forms: 'english' } };
const search = { filter: words, order: 'best_words', passage_bytes: 256 };
const filler = 'Nothing of note was said on this day. ';
const pier = 'The harbour lies behind the dunes, and its harbours are full. ';
const spice = 'He sells saffron at the harbour. ';

describe('passages of long texts', () => {
  testCase('SEA-C42 are the best runs of whole sentences', async (t) => {
    const agent = await t.agent();
    const texts = {
      short: spice,
      long: filler.repeat(20) + pier + filler.repeat(20) + spice + filler.repeat(20),
      sentence: `${'so and '.repeat(100)}saffron ${'and so '.repeat(100)}`,
      other: filler.repeat(20),
    };
    const [short, long, sentence, other] = await stored(agent, [
      recordOf({ primary: texts.short }),
      recordOf({ primary: texts.long }),
      recordOf({ primary: texts.sentence }),
      recordOf({ primary: texts.other, secondary: 'saffron' }),
    ]);
    const page = await pageOf(agent, [scope], search);
    const passages = new Map(
      page.matches.map(({ record, passage }) => [
        record.record_id,
        passage && record.payload.content.primary.slice(passage.from, passage.to),
      ]),
    );
    expect(passages.get(short ?? '')).toBeUndefined();
    // The first of the runs that have the sentence of both words.
    const before = filler.repeat(5);
    expect(passages.get(long ?? '')).toBe((before + spice).trimEnd());
    const found = passages.get(sentence ?? '') ?? '';
    expect([found.includes('saffron'), found.length <= 256]).toEqual([true, true]);
    expect(texts.sentence.split(' ')).toEqual(expect.arrayContaining(found.split(' ')));
    expect(passages.get(other ?? '')).toBe(filler.repeat(6).trimEnd());
  });

  testCase('SEA-C42 change neither the order nor what a cursor belongs to', async (t) => {
    const agent = await t.agent();
    await stored(
      agent,
      [3, 9, 27].map((times) => recordOf({ primary: spice + filler.repeat(times) })),
    );
    const idsOf = ({ matches }: Awaited<ReturnType<typeof pageOf>>) =>
      matches.map(({ record }) => record.record_id);
    const whole = { ...search, passage_bytes: null };
    const inOrder = idsOf(await pageOf(agent, [scope], whole));
    expect(idsOf(await pageOf(agent, [scope], search))).toEqual(inOrder);
    const first = await pageOf(agent, [scope], { ...search, limit: 1 });
    const rest = await pageOf(agent, [scope], { ...whole, cursor: first.next_cursor });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(inOrder);
    expect(rest.matches.every(({ passage }) => passage === undefined)).toBe(true);
    const again = { ...search, cursor: first.next_cursor };
    const { matches } = await pageOf(agent, [scope], again);
    expect(matches.map(({ passage }) => passage?.from)).toEqual([0, 0]);
    const [id] = inOrder.slice(1);
    const { record_explanation } = await pageOf(agent, [scope], { ...search, explain_record: id });
    expect(record_explanation?.match?.passage).toEqual(matches[0]?.passage);
  });

  testCase('SEA-69 are cut between characters, in UTF-16 units', async (t) => {
    const agent = await t.agent();
    const primary = `${'🌊'.repeat(200)}。サフラン港。saffron 🌊`;
    await stored(agent, [recordOf({ primary })]);
    const { matches } = await pageOf(agent, [scope], search);
    const { from = 0, to = 0 } = matches[0]?.passage ?? {};
    const shown = primary.slice(from, to);
    expect(shown.isWellFormed()).toBe(true);
    expect(shown.endsWith('。サフラン港。saffron 🌊')).toBe(true);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(256);
  });

  testCase('SEA-C42 need the order best_words and a size in bounds', async (t) => {
    const agent = await t.agent();
    for (const members of [
      { order: 'newest' },
      { order: 'rarest_words' },
      { passage_bytes: 255 },
      { passage_bytes: 65_537 },
    ]) {
      const answer = await agent.search([scope], { ...search, ...members });
      expect([outcome(answer), named(answer)]).toEqual([refused.invalid, ['passage_bytes']]);
    }
    const none = await agent.search([scope], { filter: words, passage_bytes: null });
    expect(outcome(none)).toBe('200');
  });
});
