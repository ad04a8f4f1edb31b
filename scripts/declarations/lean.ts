/**
 * Leaves of the declarations of a package what its entries reach, with the types of documents
 * spelled out. So its users check neither the types of its schemas nor those of the schema library.
 * Usage: `tsx scripts/declarations/lean.ts packages/core`.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { argv } from 'node:process';
import ts from 'typescript';
import { DocumentTypes, type PathTo, SCHEMA_LIBRARY } from './document-types.ts';
import { Reach } from './reachable.ts';
import { writtenFile } from './written-file.ts';

interface Manifest {
  readonly exports: Record<string, string | { readonly types: string }>;
}

const STAND_IN = 'schema-types.d.ts';
const packageFolder = resolve(argv[2] ?? '.');
const types = join(packageFolder, 'dist/types');

function entryFiles(): string[] {
  const manifest = JSON.parse(
    readFileSync(join(packageFolder, 'package.json'), 'utf8'),
  ) as Manifest;
  return Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [] : [join(packageFolder, target.types)],
  );
}

/** Paths of imports from a file of the package. */
const pathsFrom =
  ({ fileName }: ts.SourceFile): PathTo =>
  (target) => {
    const file = typeof target === 'string' ? join(types, target) : target.fileName;
    const path = relative(dirname(fileName), file).replaceAll('\\', '/').replace('.d.ts', '.js');
    return path.startsWith('.') ? path : `./${path}`;
  };

const entries = entryFiles();
const program = ts.createProgram(entries, {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
});
const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${types}/`));
const checker = program.getTypeChecker();
const documents = new DocumentTypes(checker, files);
const reach = new Reach(checker, documents, files, pathsFrom);
for (const entry of files.filter(({ fileName }) => entries.includes(fileName))) {
  reach.addEntry(entry);
}
const written = files.map((file) => {
  const isEntry = entries.includes(file.fileName);
  const text = writtenFile(file, reach, pathsFrom(file)) ?? (isEntry ? 'export {};\n' : undefined);
  return { file: file.fileName, text };
});

rmSync(types, { recursive: true });
for (const { file, text } of written) {
  if (text === undefined) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (text.includes(`${SCHEMA_LIBRARY}'`)) throw new Error(`${file} needs ${SCHEMA_LIBRARY}.`);
}
const needsStandIn = written.some(({ text }) => text?.includes(STAND_IN.replace('.d.ts', '.js')));
if (needsStandIn && !written.some(({ file }) => file.endsWith(`/${STAND_IN}`))) {
  copyFileSync(join(import.meta.dirname, STAND_IN), join(types, STAND_IN));
}
