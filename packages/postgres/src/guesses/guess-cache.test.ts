/**
 * The cache stays within its memory bound.
 */
import { expect, test } from 'vitest';
import { memoryKept } from '@agentkeep/testkit/memory-kept';
import { GuessCache } from './guess-cache.js';

const BYTES_MAX = 4_194_304;

test('the bound covers memory, also when values are slices of large answers', () => {
  const guesses = new GuessCache(BYTES_MAX);
  const kept = memoryKept(() => {
    for (let number = 0; number < 20_000; number += 1) {
      const answer = Buffer.alloc(65_536);
      guesses.set(`key ${String(number)}`, { revision: 1n, value: answer.subarray(0, 300) });
    }
  });
  expect(guesses.get('key 19999')?.value).toHaveLength(300);
  expect(guesses.get('key 0')).toBeUndefined();
  expect(kept).toBeLessThan(2 * BYTES_MAX);
});
