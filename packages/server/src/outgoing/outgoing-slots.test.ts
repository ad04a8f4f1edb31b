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
