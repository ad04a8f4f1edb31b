/**
 * Counts what programs can import. A public name is a declaration that an entry of a published
 * package exports; one that several entries export, also of several packages, counts once.
 */
import ts from 'typescript';

/** An entry of a package, and the file that states what it exports. */
export interface Entry {
  readonly name: string;
  readonly source: string;
}

/** What all entries export. */
export interface PublicNames {
  /** Declarations, each once. */
  readonly total: number;
  /** The names of each entry. An entry without names is a program, not a module to import. */
  readonly byEntry: ReadonlyMap<string, readonly string[]>;
}

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  customConditions: ['agentkeep-source'],
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/** Returns the public names of entries. */
export function countNames(entries: readonly Entry[]): PublicNames {
  const program = ts.createProgram(
    entries.map(({ source }) => source),
    options,
  );
  const checker = program.getTypeChecker();
  const declared = new Set<ts.Symbol>();
  const byEntry = new Map<string, readonly string[]>();
  for (const { name, source } of entries) {
    const file = program.getSourceFile(source);
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    byEntry.set(
      name,
      symbols.map((symbol) => symbol.name),
    );
    for (const symbol of symbols) {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      declared.add(isAlias ? checker.getAliasedSymbol(symbol) : symbol);
    }
  }
  return { total: declared.size, byEntry };
}
