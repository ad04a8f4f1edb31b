/** Each name has one spelling, however it is typed, and every character of it is seen. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUsername, normalUsername, usernameOf } from './username.js';

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

/** Full-width forms of ASCII, as an input method types them. */
const wide = (text: string): string =>
  text.replaceAll(/[\x21-\x7e]/g, (char) =>
    String.fromCodePoint(0xfee0 + (char.codePointAt(0) ?? 0)),
  );

const respelled: readonly ((text: string) => string)[] = [
  ...FORMS.map(
    (form) =>
      (text: string): string =>
        text.normalize(form),
  ),
  wide,
  (text) => wide(text).normalize('NFD'),
  (text) => text.replaceAll(' ', '\u3000'),
  (text) => text.replaceAll(' ', '\u00a0'),
];

/** Names of people, with the letters that normal forms are about beside any other. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      ...['a', 'Z', '0', '@', '.', ' ', '|', 'é', 'e\u0301', 'ﬁ', 'Ａ', 'ｶ', 'ﾞ', 'ガ', '각', 'Å'],
      ...['Ⅳ', 'ß', 'ſ', 'ẛ\u0323', '\u0323', '\u0307', 'ΐ', 'ﷺ', '\u00a0', '\u1e9b', '日', 'ش'],
      ...['\u200b', '\u200d', '\u202e', '\u2069', '\ufe0f', '\u115f', '\u00ad', '\ue000', '\ud800'],
    ),
    maxLength: 12,
  }),
);

const anyName = anyText
  .map((text) => usernameOf(text))
  .filter((name): name is string => name !== undefined);

describe('USR-54 a username', () => {
  test('has one spelling: that of its spelling is the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = usernameOf(text);
        if (name !== undefined) expect(usernameOf(name)).toBe(name);
      }),
    );
  });

  test('is the same in each form of normalisation and width', () => {
    fc.assert(
      fc.property(anyName, fc.constantFrom(...respelled), (name, respell) => {
        expect(usernameOf(respell(name))).toBe(name);
      }),
    );
  });

  test('is refused or taken alike in all of its spellings', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...FORMS), (text, form) => {
        expect(usernameOf(text.normalize(form))).toBe(usernameOf(text));
      }),
    );
  });

  test('has nothing that is not seen, wherever it stands', () => {
    const unseen = [
      ...['\u0000', '\u0085', '\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u1680', '\u17b4'],
      ...['\u180b', '\u180e', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2028', '\u2029'],
      ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2060', '\u2061', '\u2066', '\u2067'],
      ...['\u2068', '\u2069', '\u206a', '\u2800', '\u3164', '\ufe00', '\ufe0f', '\ufeff', '\uffa0'],
      ...['\ufff9', '\u{16fe4}', '\u{1bca0}', '\u{1d159}', '\u{1d173}', '\u{e0001}', '\u{e0041}'],
      ...['\u{e0100}', '\u0378', '\ufdd0', '\uffff', '\ue000', '\u{f0000}', '\ud800', '\udc00'],
    ];
    const placed = (each: string): string[] => [`${each}ann`, `an${each}n`, `ann${each}`, each];
    const taken = unseen.filter((each) =>
      placed(each).some((text) => usernameOf(text) !== undefined),
    );
    expect(taken.map((each) => each.codePointAt(0)?.toString(16))).toEqual([]);
  });

  test('has spaces inside only, and one at a time', () => {
    const spaces = [' ', '\u00a0', '\u2003', '\u202f', '\u205f', '\u3000'];
    for (const each of spaces) {
      expect(usernameOf(`ann${each}lee`)).toBe('ann lee');
      const wrong = [`${each}ann`, `ann${each}`, `ann${each} lee`, `ann ${each}lee`, each];
      expect(wrong.map(usernameOf)).toEqual(wrong.map(() => undefined));
    }
    // Compatibility forms that begin with a space.
    expect(['\u00a8', '\u00b4ann'].map(usernameOf)).toEqual([undefined, undefined]);
  });

  test('keeps its case, and the letters and symbols of any script', () => {
    const kept = [
      'Ann',
      'ANN',
      'ann@example.com',
      'auth0|5',
      'José',
      '日本 太郎',
      'محمد',
      '🦊',
      'ß',
    ];
    expect(kept.map(usernameOf)).toEqual(kept);
  });

  test('has 1 to 256 bytes in its one spelling, and other spellings may be longer', () => {
    const longest = 'é'.repeat(128);
    expect(usernameOf(longest.normalize('NFD'))).toBe(longest);
    expect(usernameOf(wide('a'.repeat(256)))).toBe('a'.repeat(256));
    const wrong = ['', 'a'.repeat(257), `${longest}a`, 'ﷺ'.repeat(16), 7, null, undefined];
    expect(wrong.map(usernameOf)).toEqual(wrong.map(() => undefined));
  });

  test('is not normalised where it is too long for any spelling of a name', () => {
    const flood = 'e\u0301'.repeat(400);
    expect(normalUsername(flood)).toBe(flood);
    expect(isUsername(flood)).toBe(false);
  });
});
