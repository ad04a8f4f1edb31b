/**
 * Bundles the console and puts it into the server: a page, and assets whose names have the digests
 * of their contents.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from './package-entries.mjs';

const source = join(root, 'packages/console');
const target = join(root, 'packages/server/dist/console');

/** Builds it. The folder `dist` of the server exists and has no console. */
export async function buildConsole() {
  const { metafile } = await build({
    absWorkingDir: source,
    entryPoints: { console: 'src/main.tsx' },
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    conditions: ['agentkeep-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  const named = (extension) => names.find((name) => name.endsWith(extension)) ?? '';
  const page = readFileSync(join(source, 'page/index.html'), 'utf8');
  mkdirSync(target, { recursive: true });
  writeFileSync(
    join(target, 'index.html'),
    page.replace('{style}', named('.css')).replace('{script}', named('.js')),
  );
  writeFileSync(join(target, 'LICENSES.txt'), licences());
}

/** Returns the licences of the libraries that the bundle has a copy of. */
function licences() {
  return ['preact', '@preact/signals']
    .map((name) => [name, readFileSync(join(source, 'node_modules', name, 'LICENSE'), 'utf8')])
    .map(([name, text]) => `${name}\n\n${text}`)
    .join('\n');
}
