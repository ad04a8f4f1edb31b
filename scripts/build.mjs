/**
 * Bundles every package, side by side.
 *
 * @module
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsup = join(root, 'node_modules/tsup/dist/cli-default.js');

function bundle(name) {
  const cwd = join(root, 'packages', name);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [tsup, '--silent'], { cwd, stdio: 'inherit' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

const names = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'tsup.config.ts')),
);
const results = await Promise.all(names.map(bundle));
const failed = names.filter((_, index) => !results[index]);
if (failed.length > 0) {
  console.error(`Not built: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
