/** Models that fail, servers that end, and tenants in turns (docs/contract/search.md#sea-84). */
import { eventually } from '@agentkeep/testkit/eventually';
import { sharedTestStore, testStore } from '@agentkeep/testkit/test-store';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { openKeep } from '@agentkeep/core';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { result } from '../harness/answer.js';
import { Caller } from '../harness/caller.js';
import { recordOf, scope } from '../harness/documents.js';
import { httpDriver } from '../harness/http-driver.js';
import { tenant } from '../harness/fixture.js';
import {
  findsByMeaning,
  foundByMeaning,
  gate,
  pageByMeaning,
  reached,
  SmallModel,
} from './meaning-fixture.js';
import { stored } from './search-fixture.js';

const PROBE = 'Is the model there?';
const texted = (primary: string) => recordOf({ primary });
const asked = (model: SmallModel) => model.records.filter((text) => text !== PROBE);

/** Lets a model wait at each page of texts; the returned functions let it go on. */
function pagesInTurn(model: SmallModel): (() => void)[] {
  const turns: (() => void)[] = [];
  model.work = (_texts, kind) =>
    kind === 'query' ? Promise.resolve() : new Promise((resolve) => turns.push(resolve));
  return turns;
}

/** Waits until a model works at a page, with a clock that lets the server look again. */
async function pageUnderWay(turns: readonly unknown[], clock: ManualClock): Promise<void> {
  await eventually(() => {
    clock.advance(1_000);
    expect(turns.length).toBe(1);
  });
}

/** Stores 250 records in each of some batches. */
async function storeMany(agent: Caller, batches: number): Promise<void> {
  const commands = Array.from({ length: 250 }, (_, index) => ({
    scope,
    operation: { type: 'create', record: texted(`Car ${index}.`) },
  }));
  for (let batch = 0; batch < batches; batch += 1) {
    const document = { contract_version: 1, idempotency_key: `b${batch}`, commands };
    result(await agent.call('executeMemoryBatch', { document }));
  }
}

test('SEA-C58 a model that hangs or throws leaves words, and no call waits for it', async () => {
  const model = new SmallModel(20);
  await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
  const agent = await t.agent();
  const hanging = gate();
  model.work = () => hanging.passed;
  await stored(agent, [texted('A car.')]);
  const page = await pageByMeaning(agent, 'vehicle');
  expect(page).toEqual({
    ...{ matches: [], next_cursor: null, scanned_records: 0 },
    text_embedding: 'unavailable',
  });
  model.work = () => Promise.reject(new Error('The model is broken.'));
  hanging.open();
  expect((await pageByMeaning(agent, 'beverage')).text_embedding).toBe('unavailable');
  model.work = () => Promise.resolve();
  await eventually(async () => {
    t.clock.advance(60_000);
    expect(await foundByMeaning(agent, 'vehicle')).toEqual(['A car.']);
  });
});

test('SEA-C59 a text that the model fails on is passed over, and those behind it are not', async () => {
  const model = new SmallModel();
  model.work = (texts) =>
    texts.includes('A poisoned car.') ? Promise.reject(new Error('No.')) : Promise.resolve();
  await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
  const agent = await t.agent();
  await stored(agent, [texted('A poisoned car.'), texted('A car.'), texted('A vehicle.')]);
  await findsByMeaning(agent, 'garage', ['A vehicle.', 'A car.'], t.clock);
  expect(t.keep.isClosing).toBe(false);
});

test('SEA-C60 a revision that was replaced while its text was embedded gets nothing', async () => {
  const model = new SmallModel();
  const working = gate();
  await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
  const agent = await t.agent();
  const begun = gate();
  model.work = async (texts, kind) => {
    if (kind !== 'record' || !texts.includes('A car.')) return;
    begun.open();
    await working.passed;
  };
  const [id] = await stored(agent, [texted('A car.')]);
  await reached(begun, t.clock);
  result(await agent.update(scope, [id, 1], texted('No word of the model.')));
  await stored(agent, [texted('Tea.')]);
  working.open();
  await findsByMeaning(agent, 'drink', ['Tea.'], t.clock);
});

test('SEA-C61 a tenant with many texts delays another one by its turn alone', async () => {
  const model = new SmallModel();
  const started = gate();
  await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
  const agent = await t.agent();
  model.work = () => started.passed;
  await storeMany(agent, 4);
  const other = await (
    await t.foreignAdmin()
  ).appoint({
    subject_id: 'bob',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  await other.created(scope, texted('One cup of tea.'));
  const waiting = (await t.keep.waiting()).embeddings;
  expect(waiting).toBeGreaterThan(32);
  started.open();
  await findsByMeaning(other, 'beverage', ['One cup of tea.'], t.clock);
  // The page that was under way, and at most one more.
  expect(asked(model).indexOf('One cup of tea.')).toBeLessThanOrEqual(64);
  await eventually(async () => {
    t.clock.advance(1_000);
    expect((await t.keep.waiting()).embeddings).toBe(0);
  });
  expect(new Set(asked(model)).size).toBe(251);
});

test('SEA-C74 10,000 waiting texts of a tenant delay each of another one by a turn', async () => {
  const model = new SmallModel();
  await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
  const agent = await t.agent();
  const turns = pagesInTurn(model);
  await storeMany(agent, 40);
  const admin = await t.foreignAdmin();
  const other = await admin.appoint({
    subject_id: 'bob',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const nextTurn = async () =>
    eventually(() => {
      t.clock.advance(1_000);
      const go = turns.shift();
      expect(go).toBeDefined();
      go?.();
    });
  for (const text of ['One cup of tea.', 'One more beverage.', 'A drink.']) {
    await other.created(scope, texted(text));
    let passed = 0;
    while (!asked(model).includes(text)) {
      await nextTurn();
      passed += 1;
      await pageUnderWay(turns, t.clock);
    }
    // The turn that was under way, and at most one more.
    expect(passed).toBeLessThanOrEqual(2);
    await nextTurn();
    await eventually(async () => {
      t.clock.advance(1_000);
      expect(await foundByMeaning(other, 'tea')).toContain(text);
    });
  }
  expect(asked(model).length).toBeLessThan(400);
});

test('SEA-C75 a tenant whose time comes while another one has many texts gets its turn', async () => {
  const model = new SmallModel();
  await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
  const master = await t.master();
  const spec = { capabilities: ['memory_read', 'memory_write'], grants: [scope] };
  const other = await (await master.registered('globex')).appoint({ subject_id: 'bob', ...spec });
  const working = gate();
  model.work = (_texts, kind) => (kind === 'query' ? Promise.resolve() : working.passed);
  await other.created(scope, texted('One cup of tea.'));
  await eventually(() => {
    t.clock.advance(1_000);
    expect(asked(model)).toEqual(['One cup of tea.']);
  });
  // Its embedding finds no room, so it waits for a time.
  result(await master.setQuota('globex', { max_bytes: 1 }));
  const turns = pagesInTurn(model);
  working.open();
  const agent = await t.agent();
  await storeMany(agent, 4);
  await pageUnderWay(turns, t.clock);
  result(await master.setQuota('globex', { max_bytes: null }));
  t.clock.advance(30_000);
  for (let passed = 0; passed < 3; passed += 1) {
    turns.shift()?.();
    await pageUnderWay(turns, t.clock);
  }
  expect(asked(model).filter((text) => text === 'One cup of tea.').length).toBe(2);
});

test('SEA-C62 servers of one store share the work, and one goes on with what another left', async () => {
  const shared = sharedTestStore();
  const clock = new ManualClock();
  const broken = new SmallModel();
  broken.work = (_texts, kind) =>
    kind === 'record' ? new Promise(() => undefined) : Promise.resolve();
  const options = { clock, passwords: quickPasswords };
  const first = await openKeep({ ...options, store: shared.open(), textEmbedder: broken });
  const made = await bootstrapTenant(first, { tenantId: 'acme', subjectId: 'ops' });
  const admin = new Caller(httpDriver.open(first), made.secret, made.credential);
  const agent = await admin.appoint({
    subject_id: 'alice',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  await stored(agent, [texted('A car.'), texted('Tea.')]);
  await eventually(() => {
    clock.advance(1_000);
    expect(broken.records.length).toBeGreaterThan(0);
  });
  // The first server hangs, and never says that it ends.
  const model = new SmallModel();
  await using second = await openKeep({ ...options, store: shared.open(), textEmbedder: model });
  const there = new Caller(httpDriver.open(second), agent.token, agent.credential);
  await eventually(async () => {
    clock.advance(1_000);
    expect(await foundByMeaning(there, 'vehicle')).toEqual(['A car.', 'Tea.']);
  });
  await first.close();
  expect(await foundByMeaning(there, 'drink')).toEqual(['Tea.', 'A car.']);
  expect(asked(model).length).toBe(2);
});
