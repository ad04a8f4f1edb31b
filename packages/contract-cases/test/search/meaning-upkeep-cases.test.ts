/**
 * Embeddings of the server, with erasure of a part, encryption, snapshots, and servers without a
 * model (docs/contract/search.md#sea-80).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import {
  bootstrapTenant,
  createSnapshot,
  encryptionKeys,
  restoreSnapshot,
} from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { eventually } from '@agentkeep/testkit/eventually';
import { sharedTestStore, testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { erased, ofSubject, wholeStore } from '../erasure/erasure-kit.js';
import { outcome, refused } from '../harness/answer.js';
import { Caller } from '../harness/caller.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { tenant } from '../harness/fixture.js';
import { httpDriver } from '../harness/http-driver.js';
import { findsByMeaning, foundByMeaning, gate, reached, SmallModel } from './meaning-fixture.js';
import { named, stored } from './search-fixture.js';

const texted = (primary: string) => recordOf({ primary });
const member = { capabilities: ['memory_read', 'memory_write'], grants: [scope] };

/** Lets a model stop at a text until `working` opens; `begun` opens there. */
function stoppedAt(model: SmallModel, text: string) {
  const [begun, working] = [gate(), gate()];
  model.work = async (texts, kind) => {
    if (kind !== 'record' || !texts.includes(text)) return;
    begun.open();
    await working.passed;
  };
  return { begun, working };
}

for (const [title, target, where] of [
  ['SEA-C68 a subject', ofSubject('bob'), scope],
  ['SEA-C69 a scope', { kind: 'scope', scope: sharedScope }, sharedScope],
] as const) {
  test(`${title} erased while the model works gets no embedding`, async () => {
    const model = new SmallModel();
    await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
    const agent = await t.agent();
    const bob = await t.agent({ subject_id: 'bob', grants: [where] });
    await stored(agent, [texted('Tea.')]);
    await stored(bob, [texted('The first car of Bob.')], where);
    await eventually(() => {
      t.clock.advance(1_000);
      expect(model.records).toContain('The first car of Bob.');
    });
    const { begun, working } = stoppedAt(model, 'The second car of Bob.');
    await stored(bob, [texted('The second car of Bob.')], where);
    await reached(begun, t.clock);
    await erased(t, target);
    working.open();
    await stored(agent, [texted('A garage.')]);
    await findsByMeaning(agent, 'vehicle', ['A garage.', 'Tea.'], t.clock);
    expect(await wholeStore(t)).not.toContain('car of Bob.');
    await eventually(async () => {
      t.clock.advance(1_000);
      expect((await t.keep.waiting()).embeddings).toBe(0);
    });
  });
}

test('SEA-C70 what a text names and what it means narrow a search together', async () => {
  const model = new SmallModel();
  await using t = await tenant(httpDriver, testStore(), { textEmbedder: model });
  const agent = await t.agent();
  const tagged = (primary: string, ...tags: string[]) => ({ ...texted(primary), tags });
  await stored(agent, [tagged('A car.', 'ann'), tagged('Tea.', 'ann'), tagged('A garage.')]);
  await findsByMeaning(agent, 'vehicle', ['A garage.', 'A car.', 'Tea.'], t.clock);
  const filter = { named_in: 'Which vehicle has Ann?' };
  expect(await foundByMeaning(agent, 'vehicle', { filter })).toEqual(['A car.', 'Tea.']);
});

test('SEA-C71 an encrypted store shows no text, and a keep with its keys goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentkeep-meaning-'));
  const encryption = { keysDir: join(folder, 'keys'), rootKey: { file: join(folder, 'root.key') } };
  await encryptionKeys.make(encryption);
  const shared = sharedTestStore();
  const options = { clock: new ManualClock(), passwords: quickPasswords, encryption };
  const first = new SmallModel();
  const store = shared.open();
  const keep = await openKeep({ ...options, store, textEmbedder: first });
  const made = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = new Caller(httpDriver.open(keep), made.secret, made.credential);
  const agent = await admin.appoint({ subject_id: 'alice', ...member });
  await stored(agent, [texted('A car in the harbour.'), texted('Tea.')]);
  await findsByMeaning(agent, 'vehicle', ['A car in the harbour.', 'Tea.'], options.clock);
  const entries = await wholeStore({ store });
  expect(entries).not.toContain('harbour');
  // The vector of the first text, as 32-bit numbers.
  expect(entries).not.toContain(Buffer.from('0000803f0000000000000000', 'hex').toString('latin1'));
  const { begun, working } = stoppedAt(first, 'An invoice.');
  await stored(agent, [texted('An invoice.')]);
  await reached(begun, options.clock);
  await keep.close();
  working.open();
  const second = new SmallModel();
  {
    const again = { ...options, store: shared.open(), textEmbedder: second };
    await using reopened = await openKeep(again);
    const there = new Caller(httpDriver.open(reopened), agent.token, agent.credential);
    await eventually(async () => {
      // What the first server began is free once its lease has ended.
      options.clock.advance(1_000);
      expect((await foundByMeaning(there, 'payment'))[0]).toBe('An invoice.');
    });
    expect(await foundByMeaning(there, 'vehicle')).toContain('A car in the harbour.');
  }
  expect(second.records).toEqual(['An invoice.']);
  await rm(folder, { recursive: true });
});

test('SEA-C72 a restored snapshot keeps its embeddings, and what lacked one gets it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentkeep-meaning-'));
  const dataDir = join(folder, 'data');
  const options = { clock: new ManualClock(), passwords: quickPasswords };
  const first = new SmallModel();
  const keep = await openKeep({ ...options, dataDir, textEmbedder: first });
  const made = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = new Caller(httpDriver.open(keep), made.secret, made.credential);
  const agent = await admin.appoint({ subject_id: 'alice', ...member });
  await stored(agent, [texted('A car.')]);
  await findsByMeaning(agent, 'vehicle', ['A car.'], options.clock);
  const { begun, working } = stoppedAt(first, 'Tea.');
  await stored(agent, [texted('Tea.')]);
  await reached(begun, options.clock);
  const { snapshot_id } = await createSnapshot(keep);
  working.open();
  await keep.close();
  const restored = join(folder, 'restored');
  await restoreSnapshot({
    snapshot: join(dataDir, 'snapshots', snapshot_id),
    dataDir: restored,
  });
  const second = new SmallModel();
  {
    await using again = await openKeep({ ...options, dataDir: restored, textEmbedder: second });
    const there = new Caller(httpDriver.open(again), agent.token, agent.credential);
    await findsByMeaning(there, 'drink', ['Tea.', 'A car.'], options.clock);
  }
  expect(second.records).toEqual(['Tea.']);
  await rm(folder, { recursive: true });
});

test('SEA-C73 a server without a model writes what one beside it makes embeddings of', async () => {
  const shared = sharedTestStore();
  const options = { clock: new ManualClock(), passwords: quickPasswords };
  const model = new SmallModel();
  await using embeds = await openKeep({ ...options, store: shared.open(), textEmbedder: model });
  await using plain = await openKeep({ ...options, store: shared.open() });
  const made = await bootstrapTenant(plain, { tenantId: 'acme', subjectId: 'ops' });
  const admin = new Caller(httpDriver.open(plain), made.secret, made.credential);
  const agent = await admin.appoint({ subject_id: 'alice', ...member });
  const there = new Caller(httpDriver.open(embeds), agent.token, agent.credential);
  await stored(agent, [texted('A car.'), texted('Tea.')]);
  await eventually(async () => {
    options.clock.advance(30_000);
    expect(await foundByMeaning(there, 'vehicle')).toEqual(['A car.', 'Tea.']);
  });
  const asked = await agent.search([scope], { order: 'nearest', vector: { text: 'vehicle' } });
  expect([outcome(asked), named(asked)]).toEqual([refused.invalid, ['vector.text']]);
});
