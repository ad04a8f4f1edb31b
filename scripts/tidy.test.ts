/** Keeps the project tidy: small files, short functions, live links and no leftovers. */
import { expect, test } from 'vitest';
import { readProject } from './tidy-files.ts';
import { namesScopedPackages } from './tidy-commands.ts';
import { citesLiveClauses, hasLiveLinks, hasOneTitle } from './tidy-links.ts';
import * as rules from './tidy-rules.ts';
import { hasPlainWords } from './tidy-words.ts';

const files = readProject();
const written = files.filter((file) => !file.isGenerated);

test('the project has files', () => {
  expect(files.length).toBeGreaterThan(10);
});

test.each([
  ['files are short', rules.isShortFile],
  ['lines are narrow', rules.isNarrow],
  ['files are light', rules.isLight],
  ['no work is left for later', rules.isFinished],
  ['no check is disabled', rules.hasNoOverride],
  ['file names describe the content', rules.isNamedWell],
  ['tests wait long enough', rules.isPatient],
  ['sources start with a sentence', rules.hasModuleSentence],
  ['functions are short and typed', rules.isTypedAndShort],
  ['names and comments use plain words', hasPlainWords],
  ['pages have one title', hasOneTitle],
  ['links resolve', hasLiveLinks],
  ['cited clauses exist', citesLiveClauses],
])('%s', (_name, rule) => {
  expect(written.flatMap(rule)).toEqual([]);
});

test('commands name our scoped packages', () => {
  expect(files.flatMap(namesScopedPackages)).toEqual([]);
});

test('no file names a registry or a path of one machine', () => {
  expect(files.flatMap(rules.isPortable)).toEqual([]);
});
