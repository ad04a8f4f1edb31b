/** Every example runs to its end, on the bundles of the packages as its script runs it. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('./', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${folder}../package.json`, 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The programs, by the scripts that run them. */
const programs = Object.entries(scripts).flatMap(([script, line]) =>
  script.startsWith('example:') ? [[script, line.split(' ').at(-1) ?? ''] as const] : [],
);

/** A program that does not end fails its test, and not the whole run. */
const TIMEOUT_MS = 120_000;

const run = promisify(execFile);

test('every folder of examples has a script', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  const run = new Set(programs.map(([, program]) => program.split('/')[1]));
  expect([...run].toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});

test.each(programs)('%s', async (_script, program) => {
  const words = ['--import', 'tsx', program];
  const options = { cwd: `${folder}..`, timeout: TIMEOUT_MS };
  const { stdout } = await run(process.execPath, words, options);
  expect(stdout.trim()).not.toBe('');
});
