/**
 * What plays long is listed by patterns that lead to files.
 */
import { expect, test } from 'vitest';
import { isByHand, isLong, longFiles } from './long-tests.js';
import { readProject } from './tidy-files.js';

const tests = readProject()
  .map(({ path }) => path)
  .filter((path) => path.endsWith('.test.ts'));

test('each pattern matches a file', () => {
  const idle = longFiles.filter((pattern) => !tests.some((path) => pattern.test(path)));
  expect(idle).toEqual([]);
});

test('shorter tests of each kind stay', () => {
  const folders = [
    'packages/contract-cases/test/',
    'packages/core/src/domains/memory/',
    'packages/langgraph/test/',
    'packages/mcp/test/',
    'packages/proof/src/',
    'packages/server/test/attacks/',
    'packages/server/test/browser/',
    'scripts/python/',
  ];
  const shorter = (folder: string) => (path: string) =>
    path.startsWith(folder) && !isLong('tests', path);
  expect(folders.filter((folder) => !tests.some(shorter(folder)))).toEqual([]);
});

test('on stores on disk, only races play in the short run', () => {
  const project = 'cases on lmdb';
  expect(isLong(project, 'packages/contract-cases/test/memory/cases.test.ts')).toBe(true);
  expect(isLong(project, 'packages/contract-cases/test/memory/authority-races.test.ts')).toBe(
    false,
  );
  expect(isLong('tests', 'packages/contract-cases/test/memory/cases.test.ts')).toBe(false);
});

test('on PostgreSQL, the cases of the contract play by hand, and races do not', () => {
  const cases = tests.filter((path) => path.startsWith('packages/contract-cases/test/'));
  const played = cases.filter((path) => !isByHand('cases on postgres', path));
  expect(played.filter((path) => /races\./.test(path)).length).toBeGreaterThan(2);
  expect(played.filter((path) => !/races\./.test(path))).toEqual([
    'packages/contract-cases/test/erasure/server-cases.test.ts',
    'packages/contract-cases/test/search/meaning-fault-cases.test.ts',
  ]);
  expect(cases.some((path) => isByHand('cases on lmdb', path))).toBe(false);
});
