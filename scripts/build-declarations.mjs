/**
 * Writes the declarations of every package that is published into its folder `dist/types`. Only
 * packing and the checks of packages need them.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isPortable, publishedPackages, root } from './package-entries.mjs';

const compiler = join(root, 'node_modules/typescript-native/bin/tsc');

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

// Each package is compiled against the declarations of those before it, as its users are.
for (const { folder, manifest } of publishedPackages()) {
  rmSync(join(root, folder, 'dist/types'), { recursive: true, force: true });
  run(compiler, '-p', join(folder, 'tsconfig.declarations.json'));
  if (isPortable(manifest)) {
    run('--import', 'tsx', join(root, 'scripts/declarations/copy-core.ts'), folder);
  }
  run('--import', 'tsx', join(root, 'scripts/declarations/lean.ts'), folder);
}
