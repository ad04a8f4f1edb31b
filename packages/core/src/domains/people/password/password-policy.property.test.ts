/** The password rule against a slow model that reads one character after the other. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brokenPasswordRules } from './require-strong-password.js';

interface Tally {
  characters: number;
  bytes: number;
  upper: number;
  lower: number;
  digit: number;
  special: number;
}

const specialCodes = [
  0x21, 0x23, 0x24, 0x25, 0x26, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x3a, 0x3b, 0x3c, 0x3d,
  0x3e, 0x3f, 0x40, 0x5b, 0x5d, 0x5e, 0x5f, 0x7b, 0x7c, 0x7d,
];

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

function tallyOf(password: string): Tally {
  const tally: Tally = { characters: 0, bytes: 0, upper: 0, lower: 0, digit: 0, special: 0 };
  let index = 0;
  while (index < password.length) {
    const code = password.codePointAt(index) ?? 0;
    index += code > 0xffff ? 2 : 1;
    tally.characters += 1;
    tally.bytes += bytesOf(code);
    if (code >= 0x41 && code <= 0x5a) tally.upper += 1;
    if (code >= 0x61 && code <= 0x7a) tally.lower += 1;
    if (code >= 0x30 && code <= 0x39) tally.digit += 1;
    if (specialCodes.includes(code)) tally.special += 1;
  }
  return tally;
}

function expected(password: string): string[] {
  const tally = tallyOf(password);
  return [
    ...(tally.characters < 12 ? ['at least 12 characters'] : []),
    ...(tally.bytes > 1024 ? ['at most 1024 bytes of UTF-8'] : []),
    ...(tally.upper === 0 ? ['an upper-case letter A-Z'] : []),
    ...(tally.lower === 0 ? ['a lower-case letter a-z'] : []),
    ...(tally.digit === 0 ? ['a digit 0-9'] : []),
    ...(tally.special === 0 ? ['a special character out of !@#$%^&*()_+-=[]{}|;:,.<>?'] : []),
  ];
}

const near = (length: number) => fc.integer({ min: length - 3, max: length + 3 });

/** Often just below or above a bound, of few kinds of characters. */
const passwords = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...Array.from('aZ5;~ é😀')), maxLength: 15 }),
  fc
    .tuple(fc.constantFrom('', 'aZ5;', 'a', 'Z5'), fc.constantFrom('x', 'é', '€', '😀'), near(1024))
    .map(([start, each, bytes]) => start + each.repeat(bytes / Buffer.byteLength(each))),
);

test('names the rules that the model finds broken', () => {
  fc.assert(
    fc.property(passwords, (password) => {
      expect(brokenPasswordRules(password)).toEqual(expected(password));
    }),
    { numRuns: 2_000 },
  );
});
