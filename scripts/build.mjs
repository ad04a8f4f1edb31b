/**
 * Bundles the JavaScript of every package that is published, which is all that running needs.
 */
import { rmSync } from 'node:fs';
import { join, parse } from 'node:path';
import { build } from 'esbuild';
import { entriesOf, publishedPackages, root } from './package-entries.mjs';

/** Bundles one package into its folder `dist`. Other packages are imported, not copied. */
function bundle({ folder, manifest }) {
  const absWorkingDir = join(root, folder);
  const entries = entriesOf(manifest).map(({ source, bundle: file }) => [parse(file).name, source]);
  return build({
    absWorkingDir,
    entryPoints: Object.fromEntries(entries),
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    packages: 'external',
    sourcemap: true,
    splitting: true,
    logLevel: 'warning',
  });
}

const packages = publishedPackages();
for (const { folder } of packages) {
  rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
}
await Promise.all(packages.map(bundle));
