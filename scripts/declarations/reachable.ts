/**
 * Which declarations of a package its entries reach.
 */
import ts from 'typescript';
import { collectedExports } from './collected-exports.ts';
import type { DocumentTypes, PathTo, Replacement } from './document-types.ts';

/** Everything that is kept: statements, the names of imports and exports, and replaced types. */
export interface Reachable {
  readonly nodes: ReadonlySet<ts.Node>;
  readonly replacements: ReadonlyMap<ts.Node, Replacement>;
}

/** Declarations that types are made of, as opposed to those of values. */
const isOfTypes = (node: ts.Node): boolean =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);

/** Walks from the exports of the entries along all that they name. */
export class Reach implements Reachable {
  readonly nodes = new Set<ts.Node>();
  readonly replacements = new Map<ts.Node, Replacement>();
  readonly #checker: ts.TypeChecker;
  readonly #documents: DocumentTypes;
  readonly #files: ReadonlySet<ts.SourceFile>;
  readonly #pathsFrom: (file: ts.SourceFile) => PathTo;

  constructor(
    checker: ts.TypeChecker,
    documents: DocumentTypes,
    files: readonly ts.SourceFile[],
    pathsFrom: (file: ts.SourceFile) => PathTo,
  ) {
    this.#checker = checker;
    this.#documents = documents;
    this.#files = new Set(files);
    this.#pathsFrom = pathsFrom;
  }

  /** Keeps what an entry exports. */
  addEntry(file: ts.SourceFile): void {
    for (const statement of file.statements) {
      if (ts.isExportDeclaration(statement)) this.#keepExports(statement);
      else if (isExported(statement)) this.#keep(statement);
    }
  }

  #keepExports(statement: ts.ExportDeclaration): void {
    const { exportClause } = statement;
    if (exportClause === undefined) {
      this.#keepModule(statement);
      return;
    }
    if (ts.isNamespaceExport(exportClause)) {
      throw new Error(`State the names: ${statement.getText()}`);
    }
    for (const specifier of exportClause.elements) {
      const isType = statement.isTypeOnly || specifier.isTypeOnly;
      this.#follow(this.#checker.getSymbolAtLocation(specifier.name), isType);
    }
  }

  /** Keeps what `export *` exports again, which is an entry too. */
  #keepModule({ moduleSpecifier }: ts.ExportDeclaration): void {
    const module =
      moduleSpecifier === undefined
        ? undefined
        : this.#checker.getSymbolAtLocation(moduleSpecifier);
    const file = module?.declarations?.find(ts.isSourceFile);
    if (file === undefined || !this.#files.has(file)) {
      throw new Error(`State the names: ${moduleSpecifier?.getText() ?? ''}`);
    }
    this.addEntry(file);
  }

  /** Keeps the declaration of a name, and each import and export on the way to it. */
  #follow(named: ts.Symbol | undefined, isType: boolean): void {
    let symbol = named;
    while (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) {
      for (const declaration of symbol.declarations ?? []) this.nodes.add(declaration);
      symbol = this.#checker.getImmediateAliasedSymbol(symbol);
    }
    const declarations = symbol?.declarations ?? [];
    const types = isType ? declarations.filter(isOfTypes) : [];
    for (const each of types.length > 0 ? types : declarations) this.#keep(statementOf(each));
  }

  #keep(statement: ts.Node): void {
    if (!this.#files.has(statement.getSourceFile()) || this.nodes.has(statement)) return;
    this.nodes.add(statement);
    // A name for a whole module, as `import * as` makes it, keeps all that the module exports.
    if (ts.isSourceFile(statement)) {
      this.addEntry(statement);
      return;
    }
    this.#visit(statement);
  }

  #visit(node: ts.Node): void {
    const pathTo = this.#pathsFrom(node.getSourceFile());
    const replacement =
      this.#documents.replacementOf(node, pathTo) ?? collectedExports(this.#checker, node, pathTo);
    if (replacement !== undefined) {
      this.replacements.set(node, replacement);
      for (const used of replacement.uses) this.#keep(used);
      return;
    }
    if (ts.isIdentifier(node)) {
      this.#follow(this.#checker.getSymbolAtLocation(node), !isValueName(node));
    }
    ts.forEachChild(node, (child) => this.#visit(child));
  }
}

/** Whether a name in a declaration is a value: in `typeof name`, or after `extends`. */
function isValueName({ parent }: ts.Node): boolean {
  return ts.isTypeQueryNode(parent) || ts.isExpressionWithTypeArguments(parent);
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** The statement of a file that a declaration is part of. */
function statementOf(declaration: ts.Node): ts.Node {
  let node = declaration;
  while (!ts.isSourceFile(node) && !ts.isSourceFile(node.parent)) node = node.parent;
  return node;
}
