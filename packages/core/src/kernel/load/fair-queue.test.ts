/** Tenants are served in turn, and so are the principals of each. */
import { expect, test } from 'vitest';
import { FairQueue } from './heavy-work.js';
import type { Party } from './party.js';

function drained(queue: FairQueue<string>, mayHave?: (party: Party) => boolean): string[] {
  const items: string[] = [];
  for (let item = queue.next(mayHave); item !== undefined; item = queue.next(mayHave)) {
    items.push(item);
  }
  return items;
}

test('a tenant with much work takes turns with one that has little', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push({ tenant: 'acme', principal: 'a' }, item);
  for (const item of ['b1', 'b2']) queue.push({ tenant: 'acme', principal: 'b' }, item);
  queue.push({ tenant: 'other', principal: 'a' }, 'o1');
  expect(queue.size).toBe(6);
  expect(drained(queue)).toEqual(['a1', 'o1', 'b1', 'a2', 'b2', 'a3']);
  expect(queue.size).toBe(0);
});

test('a party that may have nothing keeps its place', () => {
  const queue = new FairQueue<string>();
  queue.push({ tenant: 'acme', principal: 'a' }, 'a1');
  queue.push({ tenant: 'acme', principal: 'b' }, 'b1');
  queue.push({ tenant: 'other', principal: 'o' }, 'o1');
  expect(queue.next(({ principal }) => principal !== 'a')).toBe('b1');
  expect(queue.next(({ principal }) => principal === 'x')).toBeUndefined();
  expect(drained(queue)).toEqual(['o1', 'a1']);
});
