/** The tests of the Python client, which start one server for all. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findPython, pythonFolder } from './find-python.ts';

test('the Python client passes its tests', () => {
  const words = ['-m', 'pytest', '-q', '--color=no'];
  const env = {
    PATH: process.env['PATH'] ?? '',
    AGENTKEEP_NODE: process.execPath,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { status, stdout, stderr } = spawnSync(findPython() ?? 'python3', words, {
    cwd: pythonFolder,
    env,
    encoding: 'utf8',
  });
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d{2,} passed\b/m);
});
