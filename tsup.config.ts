/**
 * How packages are built: the modules of each that is published, the page of the reference, and the
 * console, which the server serves.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, parse } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { entriesOf, isPortable, publishedPackages, root } from './scripts/package-entries.mjs';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];
type Plugin = NonNullable<Options['plugins']>[number];

const server = join(root, 'packages/server');
const consoleFolder = join(root, 'packages/console');

/** What all builds share. */
const common: Options = {
  format: 'esm',
  silent: true,
  removeNodeProtocol: false,
};

/** For Node.js: other packages are imported, not copied. */
const forNode: Options = { target: 'node20', platform: 'node', skipNodeModulesBundle: true };

/** For every engine: the build fails where a module of Node.js would be needed. */
const portable: Options = { target: 'es2022', platform: 'neutral' };

/** Bundles a JSON document as a text to parse, which loads faster than an expression. */
const parsedJson: EsbuildPlugin = {
  name: 'parsed-json',
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

/** What the reference page has of Swagger UI, and the name of each file there. */
const swaggerUiFiles = {
  'swagger-ui.css': 'swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-bundle.js.LICENSE.txt',
  LICENSE: 'swagger-ui.LICENSE.txt',
  NOTICE: 'swagger-ui.NOTICE.txt',
};

/** Lays out the reference page: files of the server, and of a library with its licences. */
const referencePage: Plugin = {
  name: 'reference-page',
  buildEnd() {
    const page = join(server, 'dist/reference-page');
    cpSync(join(server, 'reference-page'), page, { recursive: true });
    const { resolve } = createRequire(join(server, 'package.json'));
    const library = dirname(resolve('swagger-ui-dist/package.json'));
    for (const [from, to] of Object.entries(swaggerUiFiles)) {
      cpSync(join(library, from), join(page, to));
    }
  },
};

/** Lays out the page of the console, which names its assets, and the licences of what they hold. */
const consolePage: Plugin = {
  name: 'console-page',
  buildEnd({ writtenFiles }) {
    const names = writtenFiles.map(({ name }) => basename(name));
    const named = (extension: string) =>
      names.find((name) => name.startsWith('console-') && name.endsWith(extension)) ?? '';
    const page = readFileSync(join(consoleFolder, 'page/index.html'), 'utf8');
    const target = join(server, 'dist/console');
    mkdirSync(target, { recursive: true });
    writeFileSync(
      join(target, 'index.html'),
      page.replace('{style}', named('.css')).replace('{script}', named('.js')),
    );
    const licences = ['preact', '@preact/signals'].map((name) => {
      const text = readFileSync(join(consoleFolder, 'node_modules', name, 'LICENSE'), 'utf8');
      return `${name}\n\n${text}`;
    });
    writeFileSync(join(target, 'LICENSES.txt'), licences.join('\n'));
  },
};

const packages = publishedPackages().map(({ folder, manifest }): Options => {
  const entries = entriesOf(manifest).map(({ source, bundle }) => [
    parse(bundle).name,
    join(folder, source),
  ]);
  return {
    ...common,
    ...(isPortable(manifest) ? portable : forNode),
    entry: Object.fromEntries(entries) as Record<string, string>,
    outDir: join(folder, 'dist'),
    clean: ['!console/**'],
    splitting: true,
    esbuildPlugins: [parsedJson],
    plugins: folder === 'packages/server' ? [referencePage] : [],
    esbuildOptions: (options) => {
      options.logLevel = 'warning';
      if (isPortable(manifest)) options.conditions = ['agentkeep-source'];
    },
  };
});

export default defineConfig([
  ...packages,
  {
    ...common,
    entry: { console: join(consoleFolder, 'src/main.tsx') },
    outDir: 'packages/server/dist/console/assets',
    clean: true,
    splitting: true,
    target: 'es2022',
    platform: 'browser',
    minify: true,
    plugins: [consolePage],
    esbuildOptions: (options) => {
      options.logLevel = 'warning';
      options.entryNames = '[name]-[hash]';
      options.chunkNames = '[name]-[hash]';
      options.conditions = ['agentkeep-source'];
      options.jsx = 'automatic';
      options.jsxImportSource = 'preact';
      options.legalComments = 'none';
    },
  },
]);
