/**
 * Bundles the JavaScript of every package that is published, which is all that running needs.
 */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { build } from 'esbuild';
import { entriesOf, publishedPackages, root } from './package-entries.mjs';

/** Bundles a JSON document as a text to parse, which loads faster than an expression. */
const parsedJson = {
  name: 'parsed-json',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

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
    plugins: [parsedJson],
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
