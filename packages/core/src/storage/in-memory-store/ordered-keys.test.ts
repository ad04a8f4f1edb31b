/** Keys in chunks are those of a sorted list, whatever was added and removed. */
import { randomFrom } from '@agentkeep/testkit/random';
import { expect, inject, test } from 'vitest';
import { OrderedKeys } from './ordered-keys.js';

test('spans have the keys of a sorted list in both directions', () => {
  const random = randomFrom(inject('seed'));
  const keys = new OrderedKeys();
  const all = new Set<string>();
  const some = (): string => random(4_096).toString(16).padStart(3, '0');
  for (let round = 0; round < 20_000; round += 1) {
    const key = some();
    // First it mostly grows, then it mostly shrinks, to nothing in the end.
    const isGrowing = random(10) < (round < 10_000 ? 8 : 2);
    if (isGrowing && !all.has(key)) keys.add(key);
    if (!isGrowing && all.has(key)) keys.remove(key);
    if (isGrowing) all.add(key);
    else all.delete(key);
    if (round % 500 !== 0) continue;
    const sorted = [...all].sort();
    const at = some();
    expect([...keys.from(at)]).toEqual(sorted.filter((each) => each >= at));
    expect([...keys.before(at)]).toEqual(sorted.filter((each) => each < at).reverse());
    expect(keys.count).toBe(all.size);
  }
  for (const key of all) keys.remove(key);
  expect([...keys.from('')]).toEqual([]);
  keys.add('a');
  expect([...keys.from('')]).toEqual(['a']);
});
