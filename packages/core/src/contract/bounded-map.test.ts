/** Tests that a bounded map keeps what was set last, within its bound. */
import { expect, test, vi } from 'vitest';
import { BoundedMap } from './bounded-map.js';

const found = (map: BoundedMap<string, number>, keys: string): string =>
  Array.from(keys)
    .filter((key) => map.get(key) !== undefined)
    .join('');

test('what was set first goes first', () => {
  const map = new BoundedMap<string, number>({ max: 2 });
  for (const key of 'abc') map.set(key, 1);
  expect(found(map, 'abc')).toBe('bc');
  expect(map.size).toBe(2);
});

test('what is set again becomes the last one that goes', () => {
  const map = new BoundedMap<string, number>({ max: 2 });
  for (const key of 'abac') map.set(key, 1);
  expect(found(map, 'abc')).toBe('ac');
});

test('what is read stays in its place', () => {
  const map = new BoundedMap<string, number>({ max: 2 });
  map.set('a', 1);
  map.set('b', 1);
  map.get('a');
  map.set('c', 1);
  expect(found(map, 'abc')).toBe('bc');
});

test('a heavy entry displaces several, and each of them is reported', () => {
  const onDropped = vi.fn();
  const map = new BoundedMap<string, number>({ max: 10, weigh: (value) => value, onDropped });
  map.set('a', 3);
  map.set('b', 4);
  map.set('c', 3);
  map.set('d', 6);
  expect(onDropped.mock.calls).toEqual([
    ['a', 3],
    ['b', 4],
  ]);
  expect([map.weight, map.size]).toEqual([9, 2]);
});

test('an entry that is too heavy alone is not kept', () => {
  const map = new BoundedMap<string, number>({ max: 10, weigh: (value) => value });
  map.set('a', 11);
  expect([map.size, map.weight]).toEqual([0, 0]);
});

test('what is replaced, deleted or cleared weighs nothing', () => {
  const map = new BoundedMap<string, number>({ max: 10, weigh: (value) => value });
  map.set('a', 8);
  map.set('a', 2);
  map.set('b', 3);
  map.delete('b');
  map.delete('b');
  expect([map.weight, map.size]).toEqual([2, 1]);
  map.clear();
  map.set('c', 10);
  expect(found(map, 'ac')).toBe('c');
});
