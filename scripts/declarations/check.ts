/**
 * Compiles the programs of the documentation against the packages as they are packed. Declarations
 * are checked too, and no dependency is there but the types of Node.js. Fails on any error, and
 * when an import costs the compiler more than a bound.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { extractPrograms } from '../docs/programs.ts';
import { type Entry, unpackInto } from './packed.ts';

/** Types that the compiler may make of one import; an empty program takes 20,000. */
const INSTANTIATIONS_MAX = 5_900;
/** The same for an adapter, whose types are checked against those of its framework. */
const ADAPTER_INSTANTIATIONS_MAX = 30_000;
/** Lines of declarations that one import may bring; inferred types would take 30,000. */
const LINES_MAX = 13_000;

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.cache/consumer');

const common: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
  strict: true,
  noEmit: true,
};

const resolutions: ts.CompilerOptions[] = [
  { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
  { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
];

/** Options, and a host that reads each file once for all programs with them. */
interface Compiler {
  readonly options: ts.CompilerOptions;
  readonly host: ts.CompilerHost;
}

function compilerOf(options: ts.CompilerOptions): Compiler {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const known = new Map<string, ts.SourceFile | undefined>();
  host.getSourceFile = (name, ...rest) => {
    if (!known.has(name)) known.set(name, read(name, ...rest));
    return known.get(name);
  };
  return { options, host };
}

/** Checks files and our part of what they import. */
function compile(files: readonly string[], { options, host }: Compiler) {
  const program = ts.createProgram(files, options, host);
  const ours = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName));
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...ours.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  const lines = ours.reduce((sum, file) => sum + file.getLineStarts().length, 0);
  return { diagnostics, lines, instantiations: program.getInstantiationCount() };
}

function isOurs(path: string): boolean {
  return path.startsWith(`${folder}/`) && !path.includes('/@types/');
}

/** Writes a program that imports an entry. Returns its path. */
function fileOf({ path }: Entry): string {
  const file = join(folder, `${path.replaceAll(/\W+/gu, '-')}.ts`);
  writeFileSync(file, `import * as entry from '${path}';\nexport { entry };\n`);
  return file;
}

/** What an import costs; fails above the bounds. */
function weigh(entry: Entry, compiler: Compiler) {
  const { path, isAdapter } = entry;
  const { diagnostics, lines, instantiations } = compile([fileOf(entry)], compiler);
  console.log(`${path}: ${lines} lines, ${instantiations} instantiations`);
  const problems = diagnostics.map(textOf);
  const most = isAdapter ? ADAPTER_INSTANTIATIONS_MAX : INSTANTIATIONS_MAX;
  if (instantiations > most) problems.push(`${path} makes too many types.`);
  if (lines > LINES_MAX) problems.push(`${path} brings too many lines.`);
  return problems;
}

function textOf({ file, start = 0, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n  ');
  if (file === undefined) return text;
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${text}`;
}

const entries = unpackInto(folder, root);
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
const files = [
  ...entries.map(fileOf),
  ...extractPrograms(join(folder, 'programs')).map(({ path }) => path),
];
const hosts = resolutions.map((resolution) => compilerOf({ ...common, ...resolution }));
const problems = [
  // What an import costs does not depend on how its files are found.
  ...hosts.slice(0, 1).flatMap((each) => entries.flatMap((entry) => weigh(entry, each))),
  ...hosts.flatMap((each) => compile(files, each).diagnostics.map(textOf)),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
