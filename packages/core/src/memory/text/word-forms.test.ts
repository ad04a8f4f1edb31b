/** Forms of words by language (docs/contract/search.md#sea-49). */
import { expect, test } from 'vitest';
import { loadWordForms } from './word-forms.js';

// Pairs from the published vocabularies of the Snowball stemmers.
test.each([
  ['english', 'consistently', 'consist', 'the'],
  ['german', 'aufeinanderfolgenden', 'aufeinanderfolg', 'und'],
  ['french', 'continuellement', 'continuel', 'les'],
  ['spanish', 'torneos', 'torne', 'las'],
  ['portuguese', 'boataria', 'boat', 'uma'],
  ['italian', 'abbandonata', 'abbandon', 'che'],
  ['dutch', 'lichamelijke', 'licham', 'het'],
  ['russian', 'важнейшими', 'важн', 'что'],
] as const)('SEA-C32 %s has the stems and stop words of its language', async (...given) => {
  const [language, word, stem, stop] = given;
  const forms = await loadWordForms(language);
  expect(forms.stemOf(word)).toBe(stem);
  expect([forms.isStopWord(stop), forms.isStopWord(word)]).toEqual([true, false]);
  const long = 'x'.repeat(100_000);
  expect(forms.stemOf(long)).toBe(long);
});
