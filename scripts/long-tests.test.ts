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

test('cases of the contract play on each store, and races only where they can occur', () => {
  const cases = tests.filter((path) => path.startsWith('packages/contract-cases/test/'));
  for (const store of ['cases on lmdb', 'cases on postgres'])
    expect(cases.filter((path) => isByHand(store, path))).toEqual([]);
  const left = cases.filter((path) => isByHand('cases on a speculative store', path));
  expect(left.length).toBeGreaterThan(2);
  expect(left.filter((path) => !/races\./.test(path))).toEqual([]);
});
