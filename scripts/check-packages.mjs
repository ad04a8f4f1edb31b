/**
 * Checks every published package as its users get it: what its manifest promises, and its types.
 */
import { spawnSync } from 'node:child_process';
import { publishedPackages, root } from './package-entries.mjs';

for (const { folder } of publishedPackages()) {
  for (const command of [`publint run --strict --pack npm ${folder}`, `attw --pack ${folder}`]) {
    const { status } = spawnSync(command, { cwd: root, stdio: 'inherit', shell: true });
    if (status !== 0) process.exitCode = 1;
  }
}
