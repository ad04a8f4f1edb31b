/** Generated passwords follow the rule for any random bytes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entropy } from '../../../kernel/ports/entropy.js';
import { systemEntropy } from '../../../kernel/ports/entropy.js';
import { generatePassword } from './password-generator.js';
import { brokenPasswordRules } from './require-strong-password.js';

const FORM = /^[A-Za-z2-9_+=.:@%]{24}$/;

/** Repeats the given bytes. */
function repeated(pattern: Uint8Array): Entropy {
  let at = 0;
  return {
    bytes: (length) => Uint8Array.from({ length }, () => pattern[at++ % pattern.length] ?? 0),
  };
}

test('every password follows the rule', () => {
  const patterns = fc.uint8Array({ minLength: 1, maxLength: 256 });
  fc.assert(
    fc.property(patterns, (pattern) => {
      const password = generatePassword(repeated(pattern));
      expect(brokenPasswordRules(password)).toEqual([]);
      expect(password).toMatch(FORM);
    }),
  );
});

const made = Array.from({ length: 2_000 }, () => generatePassword(systemEntropy));

test('all passwords differ, and every character occurs', () => {
  expect(new Set(made).size).toBe(made.length);
  expect(new Set(made.join('')).size).toBe(64);
});

test('no position reveals the class of its character', () => {
  for (const place of [0, 1, 2, 3, 23]) {
    const digits = made.filter((password) => /\d/.test(password.charAt(place))).length;
    // About 330 are expected; the first four places unshuffled would give 0 or 2,000 somewhere.
    expect(digits).toBeGreaterThan(150);
    expect(digits).toBeLessThan(600);
  }
});
