/** How many requests are under way at once. */
import { expect, test } from 'vitest';
import { OutgoingPlaces } from './outgoing-places.js';

/** Takes places until there is none; returns how to give each back. */
function takeAll(places: OutgoingPlaces, tenantId: string, hostOf: (at: number) => string) {
  const taken: (() => void)[] = [];
  for (let at = 0; ; at += 1) {
    const giveBack = places.take({ tenantId, host: hostOf(at) });
    if (giveBack === undefined) return taken;
    taken.push(giveBack);
  }
}

test('a tenant has a bounded number of places, and fewer at one host', () => {
  const places = new OutgoingPlaces();
  const atOneHost = takeAll(places, 'a', () => 'one');
  expect(atOneHost).toHaveLength(4);
  const others = takeAll(places, 'a', String);
  expect(others).toHaveLength(12);
  for (const giveBack of [...atOneHost, ...others]) giveBack();
  expect(takeAll(places, 'a', String)).toHaveLength(16);
});

test('a host has a bounded number of places, which few tenants cannot take', () => {
  const places = new OutgoingPlaces();
  const taken = Array.from({ length: 40 }, (_, at) => {
    return takeAll(places, `tenant ${at}`, () => 'shared').length;
  });
  expect(taken).toEqual([4, 4, 4, 4, ...Array(16).fill(1), ...Array(20).fill(0)]);
  expect(places.take({ tenantId: 'tenant 39', host: 'other' })).toBeDefined();
});

test('all tenants have a bounded number of places', () => {
  const places = new OutgoingPlaces();
  let taken = 0;
  for (let at = 0; at < 300; at += 1) {
    taken += takeAll(places, `tenant ${at}`, (each) => `${at} ${each}`).length;
  }
  expect(taken).toBe(256);
});
