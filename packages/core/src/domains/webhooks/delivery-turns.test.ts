/** Which webhook delivers next, one message at a time (docs/contract/webhooks.md#hok-30). */
import { expect, test } from 'vitest';
import { DeliveryTurns } from './delivery-turns.js';
import type { WebhookKey } from './delivery-store.js';

/** Deliveries that go on until the test ends them. */
class Deliveries {
  readonly #ends = new Map<WebhookKey, (isMore: boolean) => void>();
  readonly turns = new DeliveryTurns(
    (webhook) => new Promise((resolve) => this.#ends.set(webhook, resolve)),
  );

  /** Who delivers, in the order in which they began. */
  get running(): string[] {
    return [...this.#ends.keys()].map(({ tenantId, webhookId }) => `${tenantId} ${webhookId}`);
  }

  add(tenantId: string, webhooks: number): void {
    for (let at = 0; at < webhooks; at += 1) {
      this.turns.add({ tenantId, webhookId: `w${String(at)}` });
    }
  }

  /** Ends the message that began first, and waits until its place is free. */
  async endFirst(isMore = true): Promise<void> {
    const [[webhook, end] = []] = this.#ends;
    if (webhook === undefined || end === undefined) throw new Error('None delivers.');
    this.#ends.delete(webhook);
    end(isMore);
    await Promise.resolve();
    await Promise.resolve();
  }

  async endAll(): Promise<void> {
    const stopped = this.turns.stop();
    while (this.#ends.size > 0) await this.endFirst(false);
    await stopped;
  }
}

test('HOK-30 the webhooks of a tenant take turns, message by message', async () => {
  const deliveries = new Deliveries();
  deliveries.add('a', 6);
  expect(deliveries.running).toEqual(['a w0', 'a w1', 'a w2', 'a w3']);
  await deliveries.endFirst();
  await deliveries.endFirst();
  await deliveries.endFirst();
  expect(deliveries.running).toEqual(['a w3', 'a w4', 'a w5', 'a w0']);
  await deliveries.endAll();
});

test('HOK-30 few tenants with slow receivers leave places to all others', async () => {
  const deliveries = new Deliveries();
  for (let at = 0; at < 79; at += 1) deliveries.add(`slow ${String(at)}`, 32);
  // Sixteen tenants have four places each; beyond half of the places, each tenant has one.
  expect(deliveries.running).toHaveLength(16 * 4 + 63);
  deliveries.add('fast', 1);
  expect(deliveries.running.at(-1)).toBe('fast w0');
  await deliveries.endAll();
});

test('HOK-30 where all places are taken, the next ones go to the tenants in turn', async () => {
  const deliveries = new Deliveries();
  for (let at = 0; at < 130; at += 1) deliveries.add(`t${String(at)}`, 1);
  expect(deliveries.running).toHaveLength(128);
  await deliveries.endFirst();
  expect(deliveries.running.at(-1)).toBe('t128 w0');
  await deliveries.endFirst();
  expect(deliveries.running.at(-1)).toBe('t129 w0');
  await deliveries.endFirst();
  expect(deliveries.running.at(-1)).toBe('t0 w0');
  await deliveries.endAll();
});

test('a webhook that is added twice delivers once', async () => {
  const deliveries = new Deliveries();
  deliveries.add('a', 1);
  deliveries.add('a', 1);
  expect(deliveries.running).toEqual(['a w0']);
  await deliveries.endFirst(false);
  expect(deliveries.running).toEqual([]);
  deliveries.add('a', 1);
  expect(deliveries.running).toEqual(['a w0']);
  await deliveries.endAll();
});
