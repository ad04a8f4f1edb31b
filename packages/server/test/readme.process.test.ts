/** The first program of the README runs as often as one likes on one directory. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const server = fileURLToPath(new URL('../', import.meta.url));

test('the example of the README runs twice, and stores its record once', () => {
  const text = readFileSync(join(server, '../../README.md'), 'utf8');
  const program = /^```ts\n(?<program>[\s\S]*?)^```$/mu.exec(text)?.groups?.['program'] ?? '';
  expect(program).toContain('agentFor(');
  expect(program).not.toContain('as const');

  // Inside the package, so that its imports resolve to the bundles that users get.
  const folder = join(server, '.cache/readme');
  mkdirSync(folder, { recursive: true });
  const file = join(mkdtempSync(join(folder, 'run-')), 'main.mjs');
  writeFileSync(file, program);
  const cwd = mkdtempSync(join(tmpdir(), 'agentkeep-readme-'));
  const run = () => spawnSync(process.execPath, [file], { cwd, encoding: 'utf8' });
  try {
    for (const { status, stdout, stderr } of [run(), run()]) {
      expect({ status, stdout, stderr }).toEqual({
        status: 0,
        stdout: 'Ann prefers short answers.\n',
        stderr: '',
      });
    }
  } finally {
    rmSync(cwd, { recursive: true });
    rmSync(join(file, '..'), { recursive: true });
  }
});
