/** Embeddings of the server, with branches, erasure and more (docs/contract/search.md#sea-80). */
import { eventually } from '@agentkeep/testkit/eventually';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { inBranch, merge } from '../branches/harness.js';
import { erasedTenant, wholeStore } from '../erasure/erasure-kit.js';
import { exported, imported } from '../exports/export-fixture.js';
import { result } from '../harness/answer.js';
import { record, recordOf, scope } from '../harness/documents.js';
import { type Fixture, tenant } from '../harness/fixture.js';
import { httpDriver } from '../harness/http-driver.js';
import { findsByMeaning, foundByMeaning, gate, reached, SmallModel } from './meaning-fixture.js';
import { pageOf, stored } from './search-fixture.js';

const texted = (primary: string) => recordOf({ primary });
const member = {
  capabilities: ['memory_read', 'memory_write'],
  grants: [scope],
};

/** Declares a test over HTTP, in a keep with a small model. */
function withModel(title: string, run: (t: Fixture, model: SmallModel) => Promise<void>): void {
  test(title, async () => {
    const model = new SmallModel();
    await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
    await run(t, model);
  });
}

withModel('SEA-C63 records of a branch are embedded once they are merged', async (t, model) => {
  const agent = await t.agent();
  const { id, where } = await inBranch(agent);
  await stored(agent, [texted('A draft of a car.')], where);
  await stored(agent, [texted('Tea.')]);
  await findsByMeaning(agent, 'drink', ['Tea.'], t.clock);
  expect(model.records).not.toContain('A draft of a car.');
  result(await merge(agent, id));
  await findsByMeaning(agent, 'vehicle', ['A draft of a car.', 'Tea.'], t.clock);
});

withModel('SEA-C64 an erased tenant leaves neither embeddings nor a place', async (t, model) => {
  const master = await t.master();
  const agent = await t.agent();
  await stored(agent, [texted('Tea.')]);
  const admin = await master.registered('globex');
  const other = await admin.appoint({ subject_id: 'bob', ...member });
  await stored(other, [texted('A car.')]);
  await findsByMeaning(other, 'vehicle', ['A car.'], t.clock);
  // The model works on a text of the tenant while all of it is erased.
  const [begun, working] = [gate(), gate()];
  model.work = async (texts, kind) => {
    if (kind !== 'record' || !texts.includes('A garage.')) return;
    begun.open();
    await working.passed;
  };
  await stored(other, [texted('A garage.')]);
  await reached(begun, t.clock);
  await erasedTenant(master, 'globex');
  working.open();
  await stored(agent, [texted('A beverage.')]);
  await findsByMeaning(agent, 'drink', ['A beverage.', 'Tea.'], t.clock);
  expect(await wholeStore(t)).not.toContain('globex\0');
  await eventually(async () => {
    t.clock.advance(1_000);
    expect((await t.keep.waiting()).embeddings).toBe(0);
  });
  expect(await wholeStore(t)).not.toContain('globex\0');
});

withModel('SEA-C65 a fact that ended is found by meaning where it is asked for', async (t) => {
  const agent = await t.agent();
  const [old] = await stored(agent, [texted('The car is red.')]);
  await findsByMeaning(agent, 'vehicle', ['The car is red.'], t.clock);
  const supersedes = [{ record_id: old, revision: 1 }];
  const content = { primary: 'The car is blue.' };
  result(await agent.create(scope, record({ content, supersedes })));
  await findsByMeaning(agent, 'vehicle', ['The car is blue.'], t.clock);
  const all = { filter: { include_superseded: true } };
  await eventually(async () => {
    t.clock.advance(1_000);
    const found = await foundByMeaning(agent, 'vehicle', all);
    expect(found.toSorted()).toEqual(['The car is blue.', 'The car is red.']);
  });
});

withModel('SEA-C66 an export carries the embeddings, so none is made again', async (t, model) => {
  const agent = await t.agent();
  await stored(agent, [texted('A car.'), texted('Tea.')]);
  await findsByMeaning(agent, 'vehicle', ['A car.', 'Tea.'], t.clock);
  const text = await exported(t.admin);
  const admin = await t.foreignAdmin();
  const there = await admin.appoint({ subject_id: 'alice', ...member });
  const before = model.records.length;
  await imported(admin, text);
  expect(await foundByMeaning(there, 'vehicle')).toEqual(['A car.', 'Tea.']);
  await stored(there, [texted('A beverage.')]);
  await findsByMeaning(there, 'drink', ['A beverage.', 'Tea.', 'A car.'], t.clock);
  expect(model.records.slice(before)).toEqual(['A beverage.']);
});

withModel('SEA-C67 a full quota leaves words, and meaning follows later', async (t, model) => {
  const master = await t.master();
  const agent = await t.agent();
  await stored(agent, [texted('Tea.')]);
  await findsByMeaning(agent, 'drink', ['Tea.'], t.clock);
  const working = gate();
  model.work = (texts) => (texts.includes('A car.') ? working.passed : Promise.resolve());
  await stored(agent, [texted('A car.')]);
  result(await master.setQuota('acme', { max_bytes: 1 }));
  working.open();
  const asked = () => model.records.filter((text) => text === 'A car.').length;
  await eventually(() => {
    t.clock.advance(30_000);
    expect(asked()).toBeGreaterThan(1);
  });
  expect(await foundByMeaning(agent, 'vehicle')).toEqual(['Tea.']);
  const words = { order: 'best_words', filter: { words: { text: 'car' } } };
  expect((await pageOf(agent, [scope], words)).matches.length).toBe(1);
  result(await master.setQuota('acme', { max_bytes: null }));
  await eventually(async () => {
    t.clock.advance(30_000);
    expect(await foundByMeaning(agent, 'vehicle')).toEqual(['A car.', 'Tea.']);
  });
});
