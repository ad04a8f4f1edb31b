/** Case folding agrees with the regular expression engine of the running Node. */
import { describe, expect, test } from 'vitest';
import { CASE_FOLD_RUNS, CASE_FOLD_UNICODE_VERSION } from './case-fold-table.js';
import { foldCase } from './fold-text.js';

const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;
const allCodes = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => !isSurrogate(code),
);

/** Returns every code point that the table changes, and every result. */
function tableCodes(): Set<number> {
  const codes = new Set<number>();
  for (let at = 0; at < CASE_FOLD_RUNS.length; at += 4) {
    const [first, last, step, delta] = CASE_FOLD_RUNS.slice(at, at + 4);
    for (let code = first!; code <= last!; code += step!) codes.add(code).add(code + delta!);
  }
  return codes;
}

/** Returns the letters that both the table and the running engine know. */
function comparableLetters(): string[] {
  const known = tableCodes();
  const isEngineNewer = Number(process.versions.unicode) > Number(CASE_FOLD_UNICODE_VERSION);
  return allCodes
    .filter((code) => known.has(code) || !isEngineNewer)
    .map((code) => String.fromCodePoint(code))
    .filter((char) => /\p{Assigned}/u.test(char))
    .filter((char) => /\p{Cased}/u.test(char) || char.toLowerCase() !== char.toUpperCase());
}

describe('foldCase', () => {
  test.each([
    ['ΣΊΣΥΦΟΣ σς', 'σίσυφοσ σσ'],
    ['\u212A K k', 'k k k'],
    ['ſ S s', 's s s'],
    ['ẞ ß ss', 'ß ß ss'],
    ['İ I ı i', 'İ i ı i'],
    ['Å \u212B å', 'å å å'],
    ['ǅ Ǆ ǆ', 'ǆ ǆ ǆ'],
    ['Ꭰ ꭰ Ᏸ ᏸ', 'Ꭰ Ꭰ Ᏸ Ᏸ'],
    ['Ა ა', 'ა ა'],
    ['\u{10400}\u{10428} \u{1E900}', '\u{10428}\u{10428} \u{1E922}'],
    ['日本語 123 \u0130\u0307', '日本語 123 \u0130\u0307'],
    ['e\u0301 É', 'e\u0301 é'],
    ['HTTP 504', 'http 504'],
    ['', ''],
    ['A\ud801B \udc00C\ud801', 'a\ud801b \udc00c\ud801'],
  ])('%s becomes %s', (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });

  test('two letters fold to the same one exactly when the engine matches them', () => {
    const letters = comparableLetters();
    const all = letters.join('');
    const classes = new Map<string, string[]>();
    for (const letter of letters) {
      const folded = foldCase(letter);
      classes.set(folded, [...(classes.get(folded) ?? []), letter]);
    }
    for (const members of classes.values()) {
      const code = members[0]!.codePointAt(0)!.toString(16);
      const matched = all.match(new RegExp(`\\u{${code}}`, 'giu'));
      if (matched?.join('') !== members.join('')) expect(matched).toEqual(members);
    }
    expect(classes.size).toBeGreaterThan(1_400);
  });

  test('all other code points stay the same', () => {
    const moved = tableCodes();
    const others = allCodes
      .filter((code) => !moved.has(code))
      .map((code) => String.fromCodePoint(code))
      .join('');
    expect(foldCase(others) === others).toBe(true);
  });
});
