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
const FIRST_START = randomInt(2 ** 32);
/** The second half of it. */
const SECOND_START = randomInt(2 ** 32);

/** Returns the first half of a hash with one more UTF-16 unit. */
function firstWith(first: number, unit: number): number {
  const mixed = Math.imul(first ^ unit, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Returns the second half of a hash with one more UTF-16 unit. */
function secondWith(second: number, unit: number): number {
  const mixed = Math.imul(second ^ unit, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

/** Whether an ASCII character is part of a word. */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/\w/.test(String.fromCharCode(code))),
);

/**
 * Takes a word by its place and the halves of its hash, which are signed here: larger numbers take
 * memory. Returns whether to go on.
 */
export type TakeWord = (first: number, second: number, from: number, to: number) => boolean;

/** Takes the words of a folded text in ASCII. Returns whether all were taken. */
export function takeAsciiWords(text: string, take: TakeWord): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (IN_WORD[text.charCodeAt(at)] === 0) continue;
    const from = at;
    let first = FIRST_START;
    let second = SECOND_START;
    for (; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (IN_WORD[unit] === 0) break;
      first = firstWith(first, unit);
      second = secondWith(second, unit);
    }
    if (!take(first, second, from, at)) return false;
  }
  return true;
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
