/** Every clause of the contract is cited by a test that asserts it, or listed with a reason. */
import { expect, test } from 'vitest';
import cases from '../../packages/contract-cases/cases.json' with { type: 'json' };
import rules from '../../packages/contract-cases/citations.json' with { type: 'json' };
import { readProject } from '../tidy-files.ts';
import { findUncited, judgeCitations, numbersIn } from './citations.ts';
import { readCases, readClauses } from './clauses.ts';

const page = {
  path: 'docs/contract/memory.md',
  text: [
    '- <a id="mem-1"></a>**MEM-1** One.',
    '- <a id="mem-2"></a>**MEM-2** Two.',
    '- <a id="mem-3"></a>**MEM-3** Three.',
  ].join('\n'),
};
const clauses = [
  ...readClauses([page, { path: 'docs/guide.md', text: page.text }]),
  ...readCases({ memory: { 'MEM-C1': 'MEM-1, OTH-1' } }),
];
const testFile = (text: string) => ({ path: 'packages/core/src/a.test.ts', text });
const none = { untestable: {}, uncited: {} };
const uncited = (text: string) => findUncited(clauses, [testFile(text)], none).map(({ id }) => id);

test('clauses and cases are read, and what a case shows', () => {
  expect(clauses.map(({ id, page, isCase, shows }) => [id, page, isCase, shows])).toEqual([
    ['MEM-1', 'memory', false, []],
    ['MEM-2', 'memory', false, []],
    ['MEM-3', 'memory', false, []],
    ['MEM-C1', 'memory', true, ['MEM-1', 'OTH-1']],
  ]);
});

test('a case shows all clauses of a range', () => {
  const [found] = readCases({ memory: { 'MEM-C2': 'MEM-4 to MEM-6, OTH-1' } });
  expect(found?.shows).toEqual(['MEM-4', 'MEM-5', 'MEM-6', 'OTH-1']);
});

test('a title or a comment cites, the sentence at the top does not', () => {
  expect(
    numbersIn('/** MEM-1 */\ntest("MEM-2 MEM-C1 holds"); // docs/contract/memory.md#mem-3'),
  ).toEqual(['MEM-2', 'MEM-C1', 'MEM-3']);
});

test('a cited case stands for its clauses', () => {
  expect(uncited('')).toEqual(['MEM-1', 'MEM-2', 'MEM-3', 'MEM-C1']);
  expect(uncited('test("MEM-C1")')).toEqual(['MEM-2', 'MEM-3']);
  expect(uncited('// MEM-20')).toContain('MEM-2');
});

test.each([
  ['a clause without a test', '// MEM-1 MEM-C1', none, 'memory has 2 clauses'],
  ['a ceiling that is too high', '// MEM-C1', { ...none, uncited: { memory: 3 } }, 'number to 2'],
  ['a page that is gone', '// MEM-C1 MEM-2 MEM-3', { ...none, uncited: { old: 1 } }, 'old has 0'],
  ['an unknown clause', '// MEM-C1 MEM-2 MEM-3 MEM-4', none, 'cites MEM-4, which does not exist'],
  [
    'a stale exception',
    '// MEM-C1 MEM-2 MEM-3',
    { ...none, untestable: { 'MEM-2': '' } },
    'MEM-2 is',
  ],
])('%s is found', (_name, text, given, sentence) => {
  expect(judgeCitations(clauses, [testFile(text)], given)).toEqual([
    expect.stringContaining(sentence),
  ]);
});

test('a number that two clauses have is found', () => {
  const twice = readClauses([
    { ...page, text: `${page.text}\n- <a id="mem-2"></a>**MEM-2** Four.` },
  ]);
  expect(judgeCitations(twice, [testFile('// MEM-1 MEM-2 MEM-3')], none)).toEqual([
    'memory has MEM-2 twice. Give one of the two the next free number.',
  ]);
});

test('exceptions and ceilings let clauses pass', () => {
  const given = { untestable: { 'MEM-2': 'a definition' }, uncited: { memory: 1 } };
  expect(judgeCitations(clauses, [testFile('// MEM-C1 ISO-8601')], given)).toEqual([]);
});

// `npx tsx scripts/contract/list-uncited.ts memory` lists the others.
test('every clause is cited, listed as untestable, or counted', () => {
  const files = readProject().filter(({ path }) => path !== 'scripts/contract/citations.test.ts');
  expect(judgeCitations([...readClauses(files), ...readCases(cases)], files, rules)).toEqual([]);
});
