/**
 * The workflows fit the published schema, run commands that exist, and have no more rights than
 * they need.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { expect, test } from 'vitest';
import { root } from './tidy-files.js';

/** Actions that may be used, each with its tag. A further one needs a review of what it does. */
const ACTIONS = ['actions/checkout@v4', 'actions/setup-node@v4', 'changesets/action@v1'];

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Returns the first group of each match. */
function found(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].flatMap(([, group]) => group ?? []);
}

test.each(workflows)('$name fits the schema of workflows', ({ text }) => {
  expect(validateWorkflow(text).errors).toEqual([]);
});

test.each(workflows)('$name begins with the right to read, and bounds its jobs', ({ text }) => {
  expect(text).toContain('\npermissions:\n  contents: read\n');
  const jobs = found(/^ {4}(runs-on):/gmu, text).length;
  expect(found(/^ {4}(timeout-minutes): \d+$/gmu, text)).toHaveLength(jobs);
});

test('only the workflow of releases gets further rights', () => {
  const writers = workflows.filter(({ text }) => /: write$/mu.test(text));
  expect(writers.map(({ name }) => name)).toEqual(['release.yml']);
});

test('only listed actions are used', () => {
  const used = workflows.flatMap(({ text }) => found(/uses: (\S+)/gu, text));
  expect([...new Set(used)].sort()).toEqual(ACTIONS);
});

test('each command of npm exists', () => {
  const named = workflows.flatMap(({ text }) => [
    ...found(/npm run ([a-z:]+)/gu, text),
    ...found(/^ {10}- (test:[a-z]+)/gmu, text),
  ]);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('pnpm of the release is the one of the workspace', () => {
  const pattern = /pnpm(?:@|Version = ')(\d+\.\d+\.\d+)/gu;
  const release = workflows.find(({ name }) => name === 'release.yml')?.text ?? '';
  const bootstrap = readFileSync(join(root, 'scripts/bootstrap.mjs'), 'utf8');
  expect(found(pattern, release)).toEqual(found(pattern, bootstrap).slice(0, 1));
});

test('the schema refuses a job without a machine and an unknown key', () => {
  const text = 'on: push\njobs:\n  all:\n    step: []\n';
  expect(validateWorkflow(text).errors).not.toEqual([]);
});
