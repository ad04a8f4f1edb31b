/**
 * Writes the declarations of every package that is published into its folder `dist/types`. Only
 * packing and the checks of packages need them.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages, root } from './package-entries.mjs';

const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
const compiled = join(root, '.cache/declarations');

rmSync(compiled, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.declarations.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

for (const { name, folder } of publishedPackages()) {
  const types = join(root, folder, 'dist/types');
  rmSync(types, { recursive: true, force: true });
  cpSync(join(compiled, name, 'src'), types, { recursive: true });
}
