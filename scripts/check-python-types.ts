/** Type-checks the Python client with mypy, where it is installed; where CI is set it has to be. */
import { spawnSync } from 'node:child_process';
import { findPython, pythonFolder } from './python/find-python.ts';

const python = findPython(['httpx', 'pytest', 'mypy']);
if (python === undefined) {
  console.error(
    'The Python client was NOT type-checked: there is no Python with httpx, pytest and mypy. ' +
      'Install them (Debian: apt-get install python3-httpx python3-pytest python3-mypy).',
  );
  process.exitCode = process.env['CI'] === undefined ? 0 : 1;
} else {
  const { status } = spawnSync(python, ['-m', 'mypy'], { cwd: pythonFolder, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
