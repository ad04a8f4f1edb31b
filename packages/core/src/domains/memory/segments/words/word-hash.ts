/**
 * Hashes of words, of 64 bits in two halves. Two words with one hash would pass for the same word;
 * by chance that takes billions of words in a segment. The hashes of a process start with random
 * numbers, so that nobody can choose words whose hashes collide.
 */
import { randomInt } from 'node:crypto';

/** The hash of a word. */
export interface WordHash {
  readonly first: number;
  readonly second: number;
}

/** The first half of the hash of no characters. */
export const FIRST_START = randomInt(2 ** 32);
/** The second half of it. */
export const SECOND_START = randomInt(2 ** 32);

/** Returns the first half of a hash with one more UTF-16 unit. */
export function firstWith(first: number, unit: number): number {
  const mixed = Math.imul(first ^ unit, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Returns the second half of a hash with one more UTF-16 unit. */
export function secondWith(second: number, unit: number): number {
  const mixed = Math.imul(second ^ unit, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

/** Returns the hash of a word. */
export function hashOf(word: string): WordHash {
  let first = FIRST_START;
  let second = SECOND_START;
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at);
    first = firstWith(first, unit);
    second = secondWith(second, unit);
  }
  return { first: first >>> 0, second: second >>> 0 };
}
