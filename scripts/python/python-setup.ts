/** Says how to install what the tests of the Python client need, if it is missing. */
import { findPython, PYTHON_VARIABLE } from './find-python.ts';

const NO_PYTHON = `
The tests of the Python client did NOT run: there is no Python with httpx and pytest.
Install them (Debian: apt-get install python3-httpx python3-pytest), or set
${PYTHON_VARIABLE} to the path of a Python that has them.
`;

/** Fails in CI, and prints a warning elsewhere. */
export default function setup(): void {
  if (findPython() !== undefined) return;
  if (process.env['CI'] !== undefined) throw new Error(NO_PYTHON);
  process.stderr.write(NO_PYTHON);
}
