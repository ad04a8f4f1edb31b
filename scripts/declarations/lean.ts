/**
 * Leaves of the declarations of a package what its entries reach, with the types of documents
 * spelled out. So its users check neither the types of its schemas nor those of the schema library.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { DocumentTypes, type PathTo, SCHEMA_LIBRARY } from './document-types.ts';
import { hostOfLightSchemas } from './light-schemas.ts';
import { Reach } from './reachable.ts';
import { writtenFile } from './written-file.ts';

const STAND_IN = 'schema-types.d.ts';

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};

/** Writes paths of imports from a file, in the declarations in `types`. */
function pathsFrom(types: string): (file: ts.SourceFile) => PathTo {
  return ({ fileName }) =>
    (target) => {
      const file = typeof target === 'string' ? join(types, target) : target.fileName;
      const path = relative(dirname(fileName), file).replaceAll('\\', '/').replace('.d.ts', '.js');
      return path.startsWith('.') ? path : `./${path}`;
    };
}

/** Writes the declarations in the folder `types` again, of which users import `entries`. */
export function leaveWhatIsReached(types: string, entries: readonly string[]): void {
  const host = hostOfLightSchemas(options, SCHEMA_LIBRARY);
  const program = ts.createProgram(entries, options, host);
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${types}/`));
  const checker = program.getTypeChecker();
  const documents = new DocumentTypes(checker, files);
  const reach = new Reach(checker, documents, files, pathsFrom(types));
  for (const entry of files.filter(({ fileName }) => entries.includes(fileName))) {
    reach.addEntry(entry);
  }
  const written = files.map((file) => {
    const isEntry = entries.includes(file.fileName);
    const text = writtenFile(file, reach, pathsFrom(types)(file));
    return { file: file.fileName, text: text ?? (isEntry ? 'export {};\n' : undefined) };
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
}
