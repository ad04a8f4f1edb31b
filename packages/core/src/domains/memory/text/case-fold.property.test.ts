/** Search over folded texts agrees with case-insensitive regular expressions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldCase } from './fold-text.js';

const special = Array.from(
  'aAkK\u212AsSſßẞiIİıσΣςåÅ\u212BμµΜǅǆǄθϑϴΘᏸᏰꭰᎠაᲐ.*+?()[]{}|^$\\/- \u0307',
);
const astral = ['\u{10400}', '\u{10428}', '\u{1E900}', '\u{1E922}', '\u{1F600}'];
const letter = fc.constantFrom(...special, ...astral);
const text = fc.oneof(fc.string({ unit: letter, maxLength: 40 }), fc.string({ unit: 'binary' }));

function containsIgnoringCase(haystack: string, needle: string): boolean {
  return new RegExp(needle.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu').test(haystack);
}

function containsBytes(haystack: string, needle: string): boolean {
  return Buffer.from(foldCase(haystack)).includes(Buffer.from(foldCase(needle)));
}

test('folding is idempotent and keeps the number of code points', () => {
  fc.assert(
    fc.property(text, (value) => {
      const folded = foldCase(value);
      expect(foldCase(folded)).toBe(folded);
      expect(Array.from(folded)).toHaveLength(Array.from(value).length);
    }),
  );
});

test('a search by bytes finds what a regular expression finds', () => {
  const needle = fc.string({ unit: letter, maxLength: 3 });
  fc.assert(
    fc.property(text, needle, (haystack, wanted) => {
      expect(containsBytes(haystack, wanted)).toBe(containsIgnoringCase(haystack, wanted));
    }),
    { numRuns: 5_000 },
  );
});

test('a search by bytes finds each part of a text in a different case', () => {
  const change = fc.constantFrom('toUpperCase' as const, 'toLowerCase' as const);
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(8), change, (haystack, start, length, method) => {
      const chars = Array.from(haystack);
      const from = chars.length === 0 ? 0 : start % chars.length;
      const part = chars.slice(from, from + length).map((char) => {
        const changed = char[method]();
        return containsIgnoringCase(char, changed) ? changed : char;
      });
      expect(containsBytes(haystack, part.join(''))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('texts larger than the buffer pool fold like their parts', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(foldCase(value.repeat(500))).toBe(foldCase(value).repeat(500));
    }),
    { numRuns: 50 },
  );
});
