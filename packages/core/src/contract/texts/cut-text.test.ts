/** Where texts are cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from './cut-text.js';

test.each([
  ['short', 5, 'short'],
  ['short', 4, 'shor'],
  ['ab😀', 3, 'ab'],
  ['ab😀c', 4, 'ab😀'],
  // A family of several code points, a flag, a letter with its accent, a skin tone.
  ['a👩‍👩‍👧‍👦b', 8, 'a'],
  ['a🇦🇹b', 3, 'a'],
  ['ae\u0301b', 2, 'a'],
  ['a👍🏽b', 3, 'a'],
  ['😀', 1, ''],
  ['😀', 0, ''],
])('%s in %i units is %s', (text, unitsMax, wanted) => {
  expect(cutText(text, unitsMax)).toBe(wanted);
});

test('a character that is longer than what is looked at is cut between code points', () => {
  const long = `e${'\u0301'.repeat(500)}`;
  expect(cutText(long, 100)).toBe(long.slice(0, 100));
});

test('a cut text is well formed, a start of the text, and as long as whole characters allow', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  fc.assert(
    fc.property(text, fc.nat(320), (whole, unitsMax) => {
      const cut = cutText(whole, unitsMax);
      expect(cut.isWellFormed()).toBe(true);
      expect(whole.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(unitsMax);
      const next = [...new Intl.Segmenter().segment(whole.slice(cut.length))].at(0)?.segment;
      const isAll = next === undefined || cut.length + next.length > unitsMax;
      expect(isAll || next.length > 32).toBe(true);
    }),
  );
});
