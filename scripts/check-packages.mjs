/**
 * Checks every published package as its users get it: what its manifest promises, and its types.
 */
import { spawnSync } from 'node:child_process';
import { root } from './package-entries.mjs';
import { packedArchives } from './packed-archives.mjs';

for (const archive of packedArchives().values()) {
  for (const command of [`publint run --strict ${archive}`, `attw ${archive}`]) {
    const { status } = spawnSync(command, { cwd: root, stdio: 'inherit', shell: true });
    if (status !== 0) process.exitCode = 1;
  }
}
