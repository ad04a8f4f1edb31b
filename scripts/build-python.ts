/**
 * Writes the generated files of the Python client. Run it after changing an operation, a document,
 * an error, or an asynchronous client.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonFolder } from './python/find-python.ts';
import { pythonFiles } from './python/python-files.ts';

for (const [path, text] of pythonFiles()) writeFileSync(join(pythonFolder, path), text);
