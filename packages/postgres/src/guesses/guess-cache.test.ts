/**
 * The cache stays within its memory bound, and keeps what is used.
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

const found = (revision: bigint) => ({ revision, value: Buffer.alloc(1_000) });

test('an entry that is used stays, and one that is not goes', () => {
  const guesses = new GuessCache(65_536);
  guesses.set('used', found(1n));
  guesses.set('unused', found(2n));
  for (let number = 0; number < 200; number += 1) {
    guesses.set(`key ${String(number)}`, found(3n));
    expect(guesses.get('used')?.revision).toBe(1n);
  }
  expect(guesses.get('unused')).toBeUndefined();
});

test('a new value replaces one in either half, also where it is too large to keep', () => {
  const guesses = new GuessCache(65_536);
  guesses.set('key', found(1n));
  for (let number = 0; number < 40; number += 1) guesses.set(`fill ${String(number)}`, found(2n));
  guesses.set('key', found(3n));
  expect(guesses.get('key')?.revision).toBe(3n);
  guesses.set('key', { revision: 4n, value: Buffer.alloc(65_536) });
  expect(guesses.get('key')).toBeUndefined();
});
