/**
 * Writes the declarations of packages into their folders `dist/types`: the compiler infers those of
 * what programs import, and they are made lean. Only users of a package need them. Usage:
 * `tsx scripts/declarations/build.ts packages/core packages/client`, each after what it imports.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, execPath, exit } from 'node:process';
import { entriesOf, isPortable, type PackageManifest, root } from '../package-entries.mjs';
import { copyCore } from './copy-core.ts';
import { leaveWhatIsReached } from './lean.ts';

const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
const configFile = join(root, '.cache/tsconfig.declarations.json');

/**
 * Infers the declarations of what programs import of a package. Several checkers would each infer
 * the types of the schemas again, in twice the processor time.
 */
function infer(folder: string, sources: readonly string[]): void {
  const config = {
    extends: '../tsconfig.base.json',
    compilerOptions: {
      emitDeclarationOnly: true,
      // Other packages are seen as users see them.
      customConditions: [],
      rootDir: join(folder, 'src'),
      outDir: join(folder, 'dist/types'),
    },
    files: sources.map((source) => join(folder, source)),
  };
  writeFileSync(configFile, JSON.stringify(config));
  const words = [compiler, '-p', configFile, '--checkers', '1'];
  const { status } = spawnSync(execPath, words, { stdio: 'inherit' });
  if (status !== 0) exit(1);
}

mkdirSync(join(root, '.cache'), { recursive: true });
for (const name of argv.slice(2)) {
  const folder = join(root, name);
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as PackageManifest;
  const modules = entriesOf(manifest).filter(({ types }) => types !== undefined);
  const entries = modules.map(({ types = '' }) => join(folder, types));
  rmSync(join(folder, 'dist/types'), { recursive: true, force: true });
  infer(
    folder,
    modules.map(({ source }) => source),
  );
  if (isPortable(manifest)) copyCore(folder);
  leaveWhatIsReached(join(folder, 'dist/types'), entries);
}
