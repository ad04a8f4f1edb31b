/** Forms of words by language (docs/contract/search.md#sea-49). */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { languages, loadWordForms } from './word-forms.js';

/** Every 131st word of the test vocabularies of Snowball 2.2, with its stem. */
function vectorsOf(language: string): (readonly [word: string, stem: string])[] {
  const path = new URL(`../../../../test/snowball-vectors/${language}.txt`, import.meta.url);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [word = '', stem = ''] = line.split(' ');
    return [word, stem];
  });
}

/** The stop words that the contract lists. */
function listedStopWords(language: string): string[] {
  const path = new URL('../../../../../../docs/contract/stop-words.md', import.meta.url);
  const [, section = ''] = readFileSync(path, 'utf8').split(`\n## ${titleOf(language)}\n`);
  const [text = ''] = section.split('\n## ');
  return text.match(/[\p{L}\p{M}\p{N}_']+/gu) ?? [];
}

function titleOf(language: string): string {
  return language.charAt(0).toUpperCase() + language.slice(1);
}

describe.each(languages)('%s', (language) => {
  test('SEA-C32 gives words the stems of Snowball', async () => {
    const { stemOf } = await loadWordForms(language);
    const vectors = vectorsOf(language);
    expect(vectors.length).toBeGreaterThan(150);
    expect(vectors.filter(([word, stem]) => stemOf(word) !== stem)).toEqual([]);
    const long = 'x'.repeat(100_000);
    expect(stemOf(long)).toBe(long);
  });

  test('keeps the first letter of words in ASCII', async () => {
    const { stemOf } = await loadWordForms(language);
    const letters = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
    fc.assert(
      fc.property(letters, (word) => stemOf(word).startsWith(word.charAt(0))),
      { numRuns: 5_000 },
    );
    const known = vectorsOf(language).filter(([word]) => /^[a-z]/.test(word));
    expect(known.filter(([word, stem]) => !stem.startsWith(word.charAt(0)))).toEqual([]);
  });

  test('keeps the second letter of words in ASCII, but for a y in stems of three', async () => {
    const { stemOf } = await loadWordForms(language);
    const isKept = (word: string, stem: string) =>
      stem.length <= word.length &&
      (stem.length === 1 ||
        stem.charAt(1) === word.charAt(1) ||
        (stem.length === 3 && word.charAt(1) === 'y'));
    const suffixes = fc.constantFrom('', 'ies', 'ying', 'ied', 'eren', 'amente', 'ization', 'es');
    const letters = fc.stringMatching(/^[a-z0-9_]{1,9}$/);
    fc.assert(
      fc.property(letters, suffixes, (start, end) => isKept(start + end, stemOf(start + end))),
      { numRuns: 5_000 },
    );
    const known = vectorsOf(language).filter(([word]) => /^[a-z]+$/.test(word));
    expect(known.filter(([word, stem]) => !isKept(word, stem))).toEqual([]);
  });

  test('SEA-50, SEA-C32 leaves out the stop words that the contract lists', async () => {
    const { isStopWord, stopWords } = await loadWordForms(language);
    const listed = listedStopWords(language);
    expect(listed).toEqual([...stopWords].toSorted());
    expect(listed.filter((word) => !isStopWord(word))).toEqual([]);
    expect(vectorsOf(language).some(([word]) => !isStopWord(word))).toBe(true);
  });
});

test.each([
  ['connect', 'connection', 'connections'],
  ['reject', 'rejection', 'rejected'],
  ['deploy', 'deployment', 'deploying'],
  ['cry', 'cries', 'crying'],
])('SEA-49 %s, %s and %s are one English word', async (...words) => {
  const { stemOf } = await loadWordForms('english');
  expect(new Set(words.map(stemOf)).size).toBe(1);
});

test('SEA-49 general and generate are two English words', async () => {
  const { stemOf } = await loadWordForms('english');
  expect(stemOf('general')).not.toBe(stemOf('generate'));
});

test('SEA-49 an Arabic word is found without its article, in every language', async () => {
  for (const language of languages) {
    const { stemOf } = await loadWordForms(language);
    for (const word of ['الكتاب', 'والكتاب', 'بالكتاب', 'للكتاب'])
      expect(stemOf(word)).toBe('كتاب');
    // A short word is no article with a word behind it.
    for (const word of ['كتاب', 'الم', 'الى']) expect(stemOf(word)).toBe(word);
  }
});
