/** Texts that mean the same have one form (docs/contract/memory.md#mem-65). */
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { foldText, foldWithPlaces } from './fold-text.js';

describe('MEM-65', () => {
  test.each([
    ['decomposed', 'Cafe\u0301 Zoe\u0308', 'café zoë'],
    ['Vietnamese, in two orders of marks', 'Vie\u0323\u0302t vie\u0302\u0323t', 'việt việt'],
    ['half-width kana with its voicing', 'ｶﾞｷﾞｸﾞ', 'ガギグ'],
    ['full-width letters and digits', 'ＡＢＣ１２３', 'abc123'],
    ['ligatures', 'ﬁnal oﬀer ĳ', 'final offer ij'],
    ['letters and digits in circles, above, and in fractions', 'Ⓐ ① m² ½', 'a 1 m2 1⁄2'],
    ['Hangul of single letters', '\u1112\u1161\u11ab\u1100\u1173\u11af', '한글'],
    ['half-width Hangul', 'ﾡￂ', '가'],
    [
      'soft hyphens, joiners, marks of direction and order',
      'con\u00adnect a\u200db\u200e\ufeff',
      'connect ab',
    ],
    ['selectors of variants', '❤\ufe0f 葛\u{e0100}', '❤ 葛'],
    ['sharp s', 'STRASSE Straße STRAẞE', 'strasse strasse strasse'],
    ['the three sigmas', 'ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['an iota below', 'ᾳ ᾼ αι ᾄ', 'αι αι αι ἄι'],
    ['a dotted capital i', 'İ', 'i\u0307'],
    ['a dotless i, which is another letter', 'ı', 'ı'],
    ['Devanagari with a dot below', '\u0958 \u0915\u093c', '\u0915\u093c \u0915\u093c'],
    ['units and the Kelvin sign', '㎏ K Å', 'kg k å'],
    ['spaces of other widths', 'a\u00a0b\u3000c', 'a b c'],
    ['lone surrogates', 'A\ud801B', 'a\ud801b'],
  ])('%s', (_name, text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

const special = fc.constantFrom(
  ...Array.from('aAeéÉßẞſsSıİiIkKﬁﬀΣσςᾳᾼᾄǰŉΐև①½²㎏가각한ﾡￂㄱㅏｶﾞﾟ が葛"* _-'),
  ...['\u0301', '\u0308', '\u0323', '\u0345', '\u0307', '\u0331', '\u3099', '\u1100', '\u1161'],
  ...['\u11a8', '\u00ad', '\u200d', '\ufe0f', '\u115f', '\u0958', '\u093c', '\u09c7', '\u09be'],
  ...['\u{10400}', '\u{1f600}', '\ud801', '\u0344', '\u0f73', '\u0f71', '\u{1d15e}'],
);
const text = fc.oneof(
  fc.string({ unit: special, maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const runs = () => ({ seed: inject('seed'), numRuns: 3_000 });

test('MEM-65 a form is the form of itself, and that of every equivalent text', () => {
  fc.assert(
    fc.property(text, (value) => {
      const folded = foldText(value);
      expect(foldText(folded)).toBe(folded);
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
        expect(foldText(value.normalize(form))).toBe(folded);
      }
    }),
    runs(),
  );
});

test('MEM-65 letters of either case have one form, except for the dotless i', () => {
  const different: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const char = String.fromCodePoint(code);
    const others = [char.toLowerCase(), char.toUpperCase()].filter((other) => other !== char);
    if (others.some((other) => foldText(other) !== foldText(char))) different.push(char);
  }
  expect(different).toEqual(['ı']);
});

test('SEA-19 a folded text knows where its parts are', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(8), (value, start, more) => {
      const { folded, shown } = foldWithPlaces(value);
      expect(folded).toBe(foldText(value));
      if (folded === '') return;
      const from = start % folded.length;
      const to = Math.min(folded.length, from + 1 + more);
      const range = shown({ from, to });
      expect(foldText(value.slice(range.from, range.to))).toContain(folded.slice(from, to));
      const whole = shown({ from: 0, to: folded.length });
      expect(foldText(value.slice(whole.from, whole.to))).toBe(folded);
    }),
    runs(),
  );
});
