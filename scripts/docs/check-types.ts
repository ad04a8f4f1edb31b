/** Type-checks the programs of the documentation in one compilation. */
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../tidy-files.ts';
import type { DocsProgram } from './programs.ts';

/** Returns the compiler's complaints about the programs, with the lines of their pages. */
export function typeProblems(programs: readonly DocsProgram[]): string[] {
  const sources = new Map(programs.map(({ path, source }) => [path, source]));
  const program = ts.createProgram([...sources.keys()], compilerOptions());
  return [...sources].flatMap(([path, source]) => {
    const file = program.getSourceFile(path);
    if (file === undefined) return [`${source}: its program was not compiled`];
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    return found.map(({ start = 0, messageText }) => {
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      return `${source}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n  ')}`;
    });
  });
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) =>
    ts.sys.readFile(path),
  ) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return { ...options, noEmit: true };
}
