/** Runs every example of `package.json` as a user does: as a process that has to end by itself. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The programs, by the scripts that run them. */
const programs = Object.entries(scripts).flatMap(([script, line]) =>
  script.startsWith('example:') ? [[script, line.split(' ').at(-1) ?? ''] as const] : [],
);

/** A program that does not end is ended after this time, so that its test fails. */
const TIMEOUT_MS = 60_000;

test('every folder of examples has a script', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const run = new Set(programs.map(([, program]) => program.split('/')[1]));
  expect([...run].toSorted()).toEqual(folders.toSorted());
});

test.each(programs)('%s runs to its end', (_script, program) => {
  const words = ['--import', 'tsx', program];
  const env = { PATH: process.env['PATH'] };
  const run = spawnSync(process.execPath, words, { cwd: root, env, timeout: TIMEOUT_MS });
  const { status, signal } = run;
  const [out, error] = [run.stdout.toString(), run.stderr.toString()];
  expect({ status, signal, error }).toEqual({ status: 0, signal: null, error: '' });
  expect(out).not.toBe('');
});
