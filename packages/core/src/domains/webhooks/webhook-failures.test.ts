/** Tests what happens to messages that receivers do not accept. */
import { eventually } from '@agentkeep/testkit/eventually';
import { describe, expect, test } from 'vitest';
import {
  broken,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  setUp,
  shared,
  taken,
  URL_OF_RECEIVER,
} from '../../../test/webhook-kit.js';

describe('failures', () => {
  test('HOK-23, HOK-C8 repeat the same message later and later, and hold back later changes', async () => {
    const { receiver, deliver, create, webhooks, clock, close } = await setUp();
    const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    const made = [await create(shared)];
    receiver.answer = broken;
    await deliver();
    made.push(await create(shared));
    await deliver();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      const { delivery } = await webhooks.get(webhook.id);
      expect(delivery).toMatchObject({ state: 'retrying', failed_attempts: attempt });
      expect(delivery.last_failure).toMatchObject({ reason: 'status', status: 500 });
      const wait = (delivery.next_attempt_at_millis ?? 0) - clock.now();
      waits.push(wait);
      clock.advance(wait - 1);
      await deliver();
      expect(receiver.requests).toHaveLength(attempt);
      clock.advance(1);
      if (attempt === 12) receiver.answer = taken;
      await deliver();
    }
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids.slice(0, 13)).size).toBe(1);
    expect(new Set(receiver.requests.slice(0, 13).map(({ body }) => body)).size).toBe(1);
    expect(receiver.requests).toHaveLength(14);
    expect(receiver.records().slice(-2)).toEqual(made);
    for (const [index, wait] of waits.entries()) {
      const doubled = Math.min(5_000 * 2 ** index, HOUR_MS);
      expect(Math.abs(wait - doubled)).toBeLessThanOrEqual(0.2 * doubled + 1);
    }
    await close();
  });

  test('are not counted while the sender is busy', async () => {
    const { receiver, deliver, create, webhooks, clock, close } = await setUp();
    const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    const made = await create(shared);
    receiver.answer = { kind: 'busy' };
    // On a database that others use, a change may be seen somewhat later.
    await eventually(async () => {
      await deliver();
      expect(receiver.requests).toHaveLength(1);
    });
    receiver.bodies();
    const { delivery } = await webhooks.get(webhook.id);
    expect(delivery).toMatchObject({ state: 'active', failed_attempts: 0, last_failure: null });
    await deliver();
    expect(receiver.requests).toEqual([]);
    receiver.answer = taken;
    clock.advance(1_000);
    await deliver();
    expect(receiver.records()).toEqual([made]);
    await close();
  });

  test('HOK-23 wait for as long as the receiver asks, an hour at most', async () => {
    const { receiver, deliver, create, webhooks, clock, close } = await setUp();
    const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    await create(shared);
    for (const [asked, waited] of [
      [10 * MINUTE_MS, 10 * MINUTE_MS],
      [DAY_MS, HOUR_MS],
    ] as const) {
      receiver.answer = { kind: 'answered', status: 429, retryAfterMs: asked };
      await deliver();
      const { delivery } = await webhooks.get(webhook.id);
      expect((delivery.next_attempt_at_millis ?? 0) - clock.now()).toBe(waited);
      clock.advance(waited);
    }
    await close();
  });

  test('HOK-C9 of three days become one dead letter, which can be replayed', async () => {
    const { receiver, deliver, deliverSoon, create, webhooks, clock, close } = await setUp();
    const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    const startMs = clock.now();
    receiver.answer = { kind: 'failed', reason: 'unreachable' };
    const made = [await create(shared)];
    await deliver();
    clock.advance(HOUR_MS);
    for (let count = 0; count < 120; count += 1) made.push(await create(shared));
    clock.advance(3 * DAY_MS);
    const young = await create(shared);
    await deliver();
    const [letter, ...more] = await webhooks.deadLetters(webhook.id);
    expect(more).toEqual([]);
    expect(letter).toMatchObject({
      first_committed_at_millis: startMs,
      last_committed_at_millis: startMs + HOUR_MS,
      given_up_at_millis: clock.now(),
      failure: { reason: 'unreachable', status: null },
      replaying: false,
    });
    receiver.bodies();
    receiver.answer = taken;
    clock.advance(HOUR_MS);
    clock.advance(HOUR_MS);
    await deliver();
    expect(receiver.records()).toEqual([young]);
    await webhooks.replay(webhook.id);
    await deliverSoon();
    expect(receiver.records()).toEqual(made);
    expect(await webhooks.deadLetters(webhook.id)).toEqual([]);
    await close();
  });

  test('HOK-27 make 100 dead letters at most, which go with the webhook', async () => {
    const { receiver, deliver, create, webhooks, clock, close } = await setUp();
    const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    receiver.answer = { kind: 'failed', reason: 'unreachable' };
    for (let count = 0; count < 103; count += 1) {
      await create(shared);
      await deliver();
      clock.advance(3 * DAY_MS);
      await deliver();
    }
    expect((await webhooks.get(webhook.id)).delivery.dead_letters).toBe(100);
    await webhooks.delete(webhook.id);
    await expect(webhooks.deadLetters(webhook.id)).rejects.toMatchObject({
      code: 'target_not_found',
    });
    await close();
  });

  test('HOK-28 of a replay end it, and the rest stays', async () => {
    const { receiver, deliver, deliverSoon, create, webhooks, clock, close } = await setUp();
    const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    receiver.answer = broken;
    await create(shared);
    clock.advance(3 * DAY_MS);
    await deliver();
    const [letter] = await webhooks.deadLetters(webhook.id);
    await webhooks.replay(webhook.id, { deadLetterId: letter?.id ?? '' });
    await deliverSoon();
    expect(await webhooks.deadLetters(webhook.id)).toMatchObject([
      { id: letter?.id, replaying: false, failure: { reason: 'status', status: 500 } },
    ]);
    await close();
  });

  test('HOK-36, HOK-37 of a discarded dead letter are never delivered', async () => {
    const { receiver, deliver, deliverSoon, create, webhooks, clock, close } = await setUp();
    const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    receiver.answer = broken;
    for (let count = 0; count < 2; count += 1) {
      await create(shared);
      clock.advance(3 * DAY_MS);
      await deliver();
    }
    const [first, second] = await webhooks.deadLetters(webhook.id);
    const target = { id: webhook.id, deadLetterId: first?.id ?? '' };
    await webhooks.replay(webhook.id, { deadLetterId: target.deadLetterId });
    const shown = await webhooks.discard(target);
    expect(shown.delivery.dead_letters).toBe(1);
    await expect(webhooks.discard(target)).rejects.toMatchObject({ code: 'target_not_found' });
    receiver.answer = taken;
    receiver.bodies();
    await deliverSoon();
    expect(receiver.records()).toEqual([]);
    expect((await webhooks.deadLetters(webhook.id)).map(({ id }) => id)).toEqual([second?.id]);
    await close();
  });

  test('HOK-23 with 410 pause the webhook, and nothing is lost', async () => {
    const { receiver, deliver, deliverSoon, create, webhooks, close } = await setUp();
    const { webhook } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    receiver.answer = { kind: 'answered', status: 410, retryAfterMs: null };
    const made = await create(shared);
    await deliver();
    receiver.bodies();
    const paused = await webhooks.get(webhook.id);
    expect(paused).toMatchObject({ enabled: false, revision: 2, delivery: { state: 'paused' } });
    await deliver();
    expect(receiver.requests).toEqual([]);
    receiver.answer = taken;
    await webhooks.update(paused, { name: 'a', url: URL_OF_RECEIVER });
    await deliverSoon();
    expect(receiver.records()).toEqual([made]);
    await close();
  });
});
