/** Who delivers webhooks, when, and from where on. */
import { expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { openKeep } from '../../index.js';
import { ChangeSweeper } from '../memory/changes/change-sweeper.js';
import { agentFor } from '../../operator.js';
import { afterPosition } from '../../storage/store/position.js';
import { ManualClock, quickPasswords } from '../../testing.js';
import { webhooks } from './webhooks-domain.js';
import { findDelivery } from './delivery-store.js';
import {
  admin,
  DAY_MS,
  MINUTE_MS,
  other,
  record,
  setUp,
  shared,
  URL_OF_RECEIVER,
} from '../../../test/webhook-kit.js';

test('HOK-25 a webhook that was paused for weeks tells that changes are gone', async () => {
  const { store, receiver, deliver, deliverSoon, create, webhooks, clock, close } = await setUp();
  const settings = { name: 'a', url: URL_OF_RECEIVER };
  const { webhook } = await webhooks.create({ ...settings, enabled: false });
  await create(shared);
  clock.advance(31 * DAY_MS);
  const kept = await create(shared);
  const sweeper = new ChangeSweeper({ store, clock, retentionOf: () => 30 * DAY_MS });
  await sweeper.sweep();
  await deliver();
  expect(receiver.requests).toEqual([]);
  await webhooks.update(webhook, settings);
  await deliverSoon();
  const [gone, next] = receiver.bodies();
  expect(gone).toMatchObject({ type: 'memory.changes_expired', data: { webhook_id: webhook.id } });
  expect(next).toMatchObject({ type: 'memory.changed', data: { changes: [{ record_id: kept }] } });
  await close();
});

test('HOK-25 a webhook keeps the changes of its tenant for a week', async () => {
  const store = testStore();
  const clock = new ManualClock();
  const ports = { store, clock, passwords: quickPasswords, changes: { retentionDays: 1 } };
  const keep = await openKeep(ports);
  const agent = await agentFor(keep, admin);
  await agent.webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
  const { record_id } = await agent.memory.in(shared).create(record);
  const retentionOf: typeof webhooks.needsChangesMs = (tx, tenantId) =>
    Math.max(DAY_MS, webhooks.needsChangesMs(tx, tenantId));
  const sweeper = new ChangeSweeper({ store, clock, retentionOf });
  const kept = async () => (await agent.memory.changesPage()).changes.map((each) => each.record_id);
  clock.advance(6 * DAY_MS);
  await sweeper.sweep();
  expect(await kept()).toEqual([record_id]);
  clock.advance(2 * DAY_MS);
  await sweeper.sweep();
  expect(await kept()).toEqual([]);
  await keep.close();
});

test('HOK-24 one server delivers at a time, and another takes over after its lease', async () => {
  const { receiver, deliverer, create, webhooks, clock, close, deliver } = await setUp();
  await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
  const two = deliverer('two');
  await create(shared);
  await deliver();
  expect(receiver.records()).toHaveLength(1);
  const missed = await create(shared);
  await two.settled();
  expect(receiver.requests).toEqual([]);
  clock.advance(30_000);
  await two.settled();
  expect(receiver.records()).toEqual([missed]);
  await deliver();
  expect(receiver.requests).toEqual([]);
  await two.stop();
  await close();
});

test('the lease of a process that has ended holds nothing up on a store of its own', async () => {
  const { receiver, deliverer, create, webhooks, close, deliver } = await setUp();
  await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
  await create(shared);
  await deliver();
  const next = await create(shared);
  receiver.bodies();
  const restarted = deliverer('two', false);
  await restarted.settled();
  expect(receiver.records()).toEqual([next]);
  await restarted.stop();
  await close();
});

test('changes that a webhook does not want cost no write each', async () => {
  const { store, clock, deliverer, create, webhooks, close, writes } = await setUp();
  const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER, scopes: [shared] });
  const one = deliverer();
  for (let count = 0; count < 20; count += 1) {
    await create(other);
    await one.settled();
  }
  expect(writes()).toBe(1);
  clock.advance(MINUTE_MS);
  await one.settled();
  expect(writes()).toBe(2);
  const place = { tenantId: 'acme', webhookId: webhook.id };
  const stored = await store.read((tx) => findDelivery(tx, place)?.from);
  const horizon = await store.read((tx) => Uint8Array.from(tx.horizon()));
  expect(Buffer.compare(stored ?? horizon, afterPosition(horizon))).toBe(-1);
  await one.stop();
  await close();
});

test('a deleted webhook is forgotten, and others go on', async () => {
  const { receiver, deliver, deliverSoon, create, webhooks, clock, close } = await setUp();
  const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
  await webhooks.create({ name: 'b', url: 'https://hooks.example.com/b' });
  await create(shared);
  await deliver();
  expect(receiver.requests).toHaveLength(2);
  await webhooks.delete(webhook.id);
  await deliverSoon();
  await create(shared);
  // A store without commit notifications is polled every second.
  clock.advance(MINUTE_MS);
  await deliver();
  expect(receiver.requests.map(({ url }) => url).slice(2)).toEqual(['https://hooks.example.com/b']);
  await close();
});
