/** Finds the Python client, and a Python that has what its tests need. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of the Python client. */
export const pythonFolder = fileURLToPath(
  new URL('../../packages/client-python/', import.meta.url),
);

/** Variable with the path of a Python to run the tests with. */
export const PYTHON_VARIABLE = 'AGENTKEEP_TEST_PYTHON';

/** What the tests need. */
const TESTED_WITH = ['httpx', 'pytest'];

/** Debian's own comes first, because its packages are for no other one. */
const CANDIDATES = ['/usr/bin/python3', 'python3'];

/** Returns the path of a Python that has these packages, or `undefined`. */
export function findPython(packages: readonly string[] = TESTED_WITH): string | undefined {
  const given = process.env[PYTHON_VARIABLE];
  const candidates = given === undefined ? CANDIDATES : [given];
  return candidates.find(
    (each) =>
      spawnSync(each, ['-c', `import ${packages.join(', ')}`], { stdio: 'ignore' }).status === 0,
  );
}
