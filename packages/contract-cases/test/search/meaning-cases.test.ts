/** Embeddings that the server makes (docs/contract/search.md#sea-80). */
import { eventually } from '@agentkeep/testkit/eventually';
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import { type Fixture, tenant, testCase } from '../harness/fixture.js';
import {
  findsByMeaning,
  foundByMeaning,
  pageByMeaning,
  SmallModel,
  SPACE,
} from './meaning-fixture.js';
import { named, pageOf, stored } from './search-fixture.js';

const texted = (primary: string) => recordOf({ primary });

/** Declares a test in a keep with a small model, on both transports. */
function withModel(title: string, run: (t: Fixture, model: SmallModel) => Promise<void>): void {
  for (const driver of drivers) {
    test(`${title} (${driver.name})`, async () => {
      const model = new SmallModel();
      await using fixture = await tenant(driver, testStore(), { textEmbedder: model });
      await run(fixture, model);
    });
  }
}

describe('embeddings that the server makes', () => {
  withModel('SEA-C52 follow writes, and are of the revision that was read', async (t) => {
    const agent = await t.agent();
    const [car] = await stored(agent, [texted('The car is old.'), texted('She likes tea.')]);
    await findsByMeaning(agent, 'Which vehicle?', ['The car is old.', 'She likes tea.'], t.clock);
    const page = await pageByMeaning(agent, 'vehicle');
    expect(page.text_embedding).toBe('made');
    expect(page.matches[0]?.distance).toBe(0);
    expect(result(await agent.revisions(scope, car)).page.items.length).toBe(1);

    result(await agent.update(scope, [car, 1], texted('Pay the invoice.')));
    await findsByMeaning(agent, 'bill', ['Pay the invoice.', 'She likes tea.'], t.clock);
    result(await agent.delete(scope, [car, 2]));
    expect(await foundByMeaning(agent, 'bill')).toEqual(['She likes tea.']);
  });

  withModel('SEA-C53 are made of what was there before, once', async (t, model) => {
    const agent = await t.agent();
    await stored(agent, [texted('A car.'), texted('Nothing of that.'), texted('Tea.')]);
    await findsByMeaning(agent, 'car', ['Tea.', 'A car.'].reverse(), t.clock);
    const before = model.records.filter((text) => text !== 'Is the model there?').length;
    expect(before).toBe(3);
    const { body } = await agent.call('listEmbeddingSpaces', {
      parameters: { contract_version: 1, ...scope },
    });
    expect(JSON.stringify(body)).toContain(SPACE);
  });

  withModel('SEA-C54 answer texts in the order nearest and the space of the model', async (t) => {
    const agent = await t.agent();
    await stored(agent, [texted('A car.')]);
    await findsByMeaning(agent, 'vehicle', ['A car.'], t.clock);
    expect(await foundByMeaning(agent, 'vehicle', { space: SPACE })).toEqual(['A car.']);
    const other = await agent.search([scope], {
      ...{ order: 'nearest', vector: { text: 'car' }, space: 'default' },
    });
    expect([outcome(other), named(other)]).toEqual([refused.invalid, ['space']]);
    const words = { text: 'car' };
    const hybrid = await agent.search([scope], { order: 'hybrid', vector: { text: 'car' }, words });
    expect([outcome(hybrid), named(hybrid)]).toEqual([refused.invalid, ['vector.text']]);
    for (const vector of [{ text: '' }, { text: ' ' }, { text: 'x'.repeat(16_385) }, {}]) {
      const faulty = await agent.search([scope], { order: 'nearest', vector });
      expect(outcome(faulty)).toBe(refused.invalid);
    }
    const unknown = await pageByMeaning(agent, 'Zebra?');
    expect(unknown).toEqual({
      ...{ matches: [], next_cursor: null, scanned_records: 0 },
      text_embedding: 'not_understood',
    });
    const { meaning_space: space } = await pageOf(agent, [scope], {
      ...{ order: 'best_words', filter: { words: { text: 'car' } } },
    });
    expect(space).toBe(SPACE);
  });

  withModel('SEA-C55 are paged as by numbers', async (t) => {
    const agent = await t.agent();
    await stored(agent, [texted('A car.'), texted('A vehicle with tea.'), texted('Tea.')]);
    const all = ['A car.', 'A vehicle with tea.', 'Tea.'];
    await findsByMeaning(agent, 'garage', all, t.clock);
    const first = await pageByMeaning(agent, 'garage', { limit: 2 });
    const cursor = first.next_cursor;
    const second = await pageByMeaning(agent, 'garage', { limit: 2, cursor });
    const texts = [first, second].flatMap(({ matches }) =>
      matches.map(({ record }) => record.payload.content.primary),
    );
    expect(texts).toEqual(all);
    const other = await agent.search([scope], {
      ...{ order: 'nearest', vector: { text: 'tea' }, limit: 2, cursor },
    });
    expect(outcome(other)).toBe(refused.invalid);
  });

  withModel('SEA-C56 are not those of scopes that drop the space', async (t) => {
    const agent = await t.agent();
    await stored(agent, [texted('A car.')]);
    await findsByMeaning(agent, 'vehicle', ['A car.'], t.clock);
    const document = { contract_version: 1, scope, space: SPACE };
    result(await agent.call('dropEmbeddingSpace', { document }));
    expect(await foundByMeaning(agent, 'vehicle')).toEqual([]);
    await stored(agent, [texted('A garage.')]);
    await findsByMeaning(agent, 'vehicle', ['A garage.'], t.clock);
    const [shared] = await stored(agent, [texted('Tea.')], sharedScope);
    await eventually(async () => {
      t.clock.advance(1_000);
      const { matches } = result(
        await agent.search([sharedScope], { order: 'nearest', vector: { text: 'drink' } }),
      ).page;
      expect(matches.map(({ record }) => record.record_id)).toEqual([shared]);
    });
  });
});

test('recall asks the server for the meaning of a question, unless the client embeds', async () => {
  const store = inMemoryStore();
  await using keep = await openKeep({ store, textEmbedder: new SmallModel() });
  const { memory } = await agentFor(keep, { subject: 'ann' });
  await memory.remember('The car is old.');
  await memory.remember('Milk for breakfast.');
  const texts = async (question: string) => (await memory.recall(question)).map(({ text }) => text);
  await eventually(async () => {
    expect(await texts('Which vehicle?')).toEqual(['The car is old.']);
  });
  expect(await texts(' ')).toEqual([]);
  expect(await texts('breakfast')).toEqual(['Milk for breakfast.']);
  const found = await memory.recall('breakfast', { vector: [0, 0, 0] });
  expect(found.map(({ text }) => text)).toEqual(['Milk for breakfast.']);
});

test('recall by words answers a client whose own model does not understand the question', async () => {
  const embed = (all: readonly string[]) => Promise.resolve(all.map(() => []));
  const textEmbedder = new SmallModel();
  await using keep = await openKeep({ store: inMemoryStore(), embed, textEmbedder });
  const { memory } = await agentFor(keep, { subject: 'ann' });
  await memory.remember('Milk for breakfast.');
  expect((await memory.recall('breakfast')).length).toBe(1);
});

testCase('SEA-C57 texts are refused by a server without a model', async (t) => {
  const agent = await t.agent();
  const answer = await agent.search([scope], { order: 'nearest', vector: { text: 'car' } });
  expect([outcome(answer), named(answer)]).toEqual([refused.invalid, ['vector.text']]);
  const words = { words: { text: 'car' } };
  const page = await pageOf(agent, [scope], { order: 'best_words', filter: words });
  expect('meaning_space' in page || 'text_embedding' in page).toBe(false);
});
