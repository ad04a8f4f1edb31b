/**
 * Copies the declarations of core beside those of a package that holds a copy of its code, so that
 * the users of the package need no other one. `lean.ts` leaves of them what the package exports.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

const core = join(import.meta.dirname, '../../packages/core');

const { name, exports } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8')) as Manifest;

/** The declarations of each entry of core, from the folder of its declarations. */
const entries = new Map(
  Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [[name + path.slice(1), relative('dist/types', target.types)] as const],
  ),
);

const imported = new RegExp(String.raw`(["'])(${name}(?:/[\w-]+)?)\1`, 'gu');

/** Returns a text whose imports of core lead to its copy. Examples in comments stay. */
function redirected(text: string, file: string, copy: string): string {
  const pathTo = (entry: string): string => {
    const target = entries.get(entry);
    if (target === undefined) throw new Error(`${file} imports ${entry}.`);
    return relative(dirname(file), join(copy, target))
      .replaceAll('\\', '/')
      .replace('.d.ts', '.js');
  };
  const lines = text.split('\n').map((line) => {
    if (line.trimStart().startsWith('*')) return line;
    return line.replaceAll(imported, (_, _quote, entry: string) => `'./${pathTo(entry)}'`);
  });
  return lines.join('\n');
}

function declarationsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => join(folder, path));
}

/** Copies them into the declarations of the package in `folder`. */
export function copyCore(folder: string): void {
  const types = join(folder, 'dist/types');
  const copy = join(types, 'core');
  for (const file of declarationsIn(types)) {
    writeFileSync(file, redirected(readFileSync(file, 'utf8'), file, copy));
  }
  cpSync(join(core, 'dist/types'), copy, { recursive: true });
  for (const path of declarationsIn(copy)) {
    // Users of the package may be without the types of Node.js, and see no such bytes.
    const text = readFileSync(path, 'utf8').replaceAll(/\bBuffer\b/gu, 'Uint8Array');
    writeFileSync(path, text);
  }
}
