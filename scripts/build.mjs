/**
 * Bundles the JavaScript of every package that is published, and lays out the reference page and
 * the console of the server, which is all that running needs.
 */
import { cpSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, parse } from 'node:path';
import { build } from 'esbuild';
import { buildConsole } from './build-console.mjs';
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

/** What the reference page has of Swagger UI, and the name of each file there. */
const swaggerUiFiles = {
  'swagger-ui.css': 'swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-bundle.js.LICENSE.txt',
  LICENSE: 'swagger-ui.LICENSE.txt',
  NOTICE: 'swagger-ui.NOTICE.txt',
};

/** Lays out the reference page: files of the server, and of a library with its licences. */
function layOutReferencePage() {
  const server = join(root, 'packages/server');
  const page = join(server, 'dist/reference-page');
  cpSync(join(server, 'reference-page'), page, { recursive: true });
  const { resolve } = createRequire(join(server, 'package.json'));
  const library = dirname(resolve('swagger-ui-dist/package.json'));
  for (const [from, to] of Object.entries(swaggerUiFiles)) {
    cpSync(join(library, from), join(page, to));
  }
}

const packages = publishedPackages();
for (const { folder } of packages) {
  rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
}
await Promise.all(packages.map(bundle));
layOutReferencePage();
await buildConsole();
