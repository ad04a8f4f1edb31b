/**
 * Bundles the JavaScript of every package that is published, which is all that running needs.
 */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { build } from 'esbuild';
import { entriesOf, isPortable, publishedPackages, root } from './package-entries.mjs';

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

/** For Node.js: other packages are imported, not copied. */
const forNode = { target: 'node20', platform: 'node', packages: 'external' };

/** For every engine: the build fails where a module of Node.js would be needed. */
const portable = { target: 'es2022', platform: 'neutral', conditions: ['agentkeep-source'] };

/** Bundles one package into its folder `dist`. */
function bundle({ folder, manifest }) {
  const absWorkingDir = join(root, folder);
  const entries = entriesOf(manifest).map(({ source, bundle: file }) => [parse(file).name, source]);
  return build({
    absWorkingDir,
    entryPoints: Object.fromEntries(entries),
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    ...(isPortable(manifest) ? portable : forNode),
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
