/** The rule of words: it finds refused words in comments and refused names, with their lines. */
import { expect, test } from 'vitest';
import type { ProjectFile } from './tidy-files.ts';
import { hasPlainWords } from './tidy-words.ts';

function fileOf(text: string, path = 'packages/core/src/keep/keep.ts'): ProjectFile {
  return { path, name: 'keep.ts', bytes: text.length, isCode: true, isGenerated: false, text };
}

test('a refused word of a comment is reported with what to say', () => {
  const text = ['/** First. */', '', '/**', ' * Hears', ' * of commits.', ' */', 'f();'].join('\n');
  expect(hasPlainWords(fileOf(text))).toEqual([
    'packages/core/src/keep/keep.ts:3 says "Hears of"; say: reports, receives',
  ]);
});

test('a refused name is reported where it is declared', () => {
  const text = 'interface WebhookPlace {}\nconst letGo = 1;\nexport class A {\n  #takeUp() {}\n}';
  expect(hasPlainWords(fileOf(text)).map((each) => each.split('; ')[0])).toEqual([
    'packages/core/src/keep/keep.ts:1 names "WebhookPlace"',
    'packages/core/src/keep/keep.ts:2 names "letGo"',
    'packages/core/src/keep/keep.ts:4 names "#takeUp"',
  ]);
});

test('ordinary words and names pass, and texts are not comments', () => {
  const text = '/** Replaces a placeholder. */\nexport const replace = "nobody hears of it";';
  expect(hasPlainWords(fileOf(text))).toEqual([]);
});
