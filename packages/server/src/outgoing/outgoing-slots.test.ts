/** How many requests are under way at once. */
import { expect, test } from 'vitest';
import { OutgoingSlots } from './outgoing-slots.js';

/** Takes places until there is none; returns how to give each back. */
function takeAll(slots: OutgoingSlots, tenantId: string, hostOf: (at: number) => string) {
  const taken: (() => void)[] = [];
  for (let at = 0; ; at += 1) {
    const giveBack = slots.take({ tenantId, host: hostOf(at) });
    if (giveBack === undefined) return taken;
    taken.push(giveBack);
  }
}

test('a tenant has a bounded number of places, and fewer at one host', () => {
  const slots = new OutgoingSlots();
  const atOneHost = takeAll(slots, 'a', () => 'one');
  expect(atOneHost).toHaveLength(4);
  const others = takeAll(slots, 'a', String);
  expect(others).toHaveLength(12);
  for (const giveBack of [...atOneHost, ...others]) giveBack();
  expect(takeAll(slots, 'a', String)).toHaveLength(16);
});

test('a host has a bounded number of places, which few tenants cannot take', () => {
  const slots = new OutgoingSlots();
  const taken = Array.from({ length: 40 }, (_, at) => {
    return takeAll(slots, `tenant ${at}`, () => 'shared').length;
  });
  expect(taken).toEqual([4, 4, 4, 4, ...Array(16).fill(1), ...Array(20).fill(0)]);
  expect(slots.take({ tenantId: 'tenant 39', host: 'other' })).toBeDefined();
});

test('all tenants have a bounded number of places', () => {
  const slots = new OutgoingSlots();
  let taken = 0;
  for (let at = 0; at < 300; at += 1) {
    taken += takeAll(slots, `tenant ${at}`, (each) => `${at} ${each}`).length;
  }
  expect(taken).toBe(256);
});

/** Lets waits that have ended go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('OID-28 those who wait get a slot in turns, those with the fewest first', async () => {
  const slots = new OutgoingSlots();
  const order: string[] = [];
  const held: (() => void)[] = [];
  const ask = (tenantId: string, asker: string): void => {
    void slots.takeInTurn({ tenantId, asker, host: 'one' }, 60_000).then((giveBack) => {
      order.push(asker);
      if (giveBack !== undefined) held.push(giveBack);
    });
  };
  for (let at = 0; at < 10; at += 1) ask('a', 'mallory');
  for (const each of ['ann', 'bob']) ask('a', each);
  await settled();
  expect(order).toEqual(Array(4).fill('mallory'));
  for (let at = 0; at < 12; at += 1) {
    held.shift()?.();
    await settled();
  }
  expect(order.slice(4, 6)).toEqual(['ann', 'bob']);
  expect(order).toHaveLength(12);
});

test('OAU-34 one asker has four slots, at whatever hosts', () => {
  const slots = new OutgoingSlots();
  const take = (asker: string, host: string) => slots.take({ tenantId: 'a', asker, host });
  const taken = Array.from({ length: 10 }, (_, at) => take('mallory', String(at)));
  expect(taken.filter((each) => each !== undefined)).toHaveLength(4);
  expect(take('ann', 'other')).toBeDefined();
});

test('a wait ends by itself, and the longest line loses its last place', async () => {
  const slots = new OutgoingSlots();
  takeAll(slots, 'a', () => 'one');
  expect(await slots.takeInTurn({ tenantId: 'a', host: 'one' }, 1)).toBeUndefined();
  const ended: string[] = [];
  const ask = (tenantId: string, asker: string): void => {
    void slots.takeInTurn({ tenantId, asker, host: 'one' }, 60_000).then((giveBack) => {
      ended.push(giveBack === undefined ? `${asker} lost` : asker);
    });
  };
  for (let at = 0; at < 512; at += 1) ask('a', 'mallory');
  ask('a', 'ann');
  await settled();
  expect(ended).toEqual(['mallory lost']);
});
