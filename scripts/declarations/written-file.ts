/**
 * The text of a declaration file with what is kept of it.
 */
import ts from 'typescript';
import { type PathTo, SCHEMA_LIBRARY } from './document-types.ts';
import type { Reachable } from './reachable.ts';

/** The text of a file; none if nothing of it is kept. */
export function writtenFile(
  file: ts.SourceFile,
  kept: Reachable,
  pathTo: PathTo,
): string | undefined {
  const parts = file.statements.map((statement) => {
    if (ts.isImportDeclaration(statement)) return importText(statement, kept);
    if (ts.isExportDeclaration(statement)) return exportText(statement, kept);
    return kept.nodes.has(statement) ? documented(statement) + editedText(statement, kept) : '';
  });
  const text = parts.filter((part) => part !== '').join('\n');
  if (text === '') return undefined;
  const standIn = pathTo('schema-types.d.ts');
  const library = new RegExp(String.raw`(from |import\()(["'])${SCHEMA_LIBRARY}\2`, 'gu');
  return `${text.replaceAll(library, `$1'${standIn}'`)}\n`;
}

function importText({ importClause, moduleSpecifier }: ts.ImportDeclaration, kept: Reachable) {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return '';
  const names = ts.isNamespaceImport(bindings)
    ? kept.nodes.has(bindings) && bindings.getText()
    : keptNames(bindings.elements, kept);
  const type = importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type ' : '';
  return names === false || names === ''
    ? ''
    : `import ${type}${names} from ${moduleSpecifier.getText()};`;
}

function exportText(statement: ts.ExportDeclaration, kept: Reachable): string {
  const { exportClause, moduleSpecifier, isTypeOnly } = statement;
  if (exportClause === undefined) return `export * from ${moduleSpecifier?.getText() ?? ''};`;
  if (!ts.isNamedExports(exportClause)) return '';
  const names = keptNames(exportClause.elements, kept);
  const from = moduleSpecifier === undefined ? '' : ` from ${moduleSpecifier.getText()}`;
  return names === '' ? '' : `export ${isTypeOnly ? 'type ' : ''}${names}${from};`;
}

function keptNames(
  specifiers: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[],
  { nodes }: Reachable,
): string {
  const names = specifiers.filter((each) => nodes.has(each)).map((each) => each.getText());
  return names.length === 0 ? '' : `{ ${names.join(', ')} }`;
}

/** The docstring of the schema with the same name, for a type that has none. */
function documented(statement: ts.Statement): string {
  if (!ts.isTypeAliasDeclaration(statement)) return '';
  if (ts.getJSDocCommentsAndTags(statement).length > 0) return '';
  const isSchema = (each: ts.Statement): boolean =>
    ts.isVariableStatement(each) &&
    each.declarationList.declarations.some(({ name }) => name.getText() === statement.name.text);
  const schema = statement.getSourceFile().statements.find(isSchema);
  const [comment] = schema === undefined ? [] : ts.getJSDocCommentsAndTags(schema);
  return comment === undefined ? '' : `${comment.getText()}\n`;
}

/** The text of a statement with its docstring, and with the types that stand in for others. */
function editedText(statement: ts.Statement, { replacements }: Reachable): string {
  const text = statement.getSourceFile().text;
  const [docstring] = ts.getJSDocCommentsAndTags(statement).slice(-1);
  let end = docstring?.getStart() ?? statement.getStart();
  let written = '';
  const visit = (node: ts.Node): void => {
    if (isOwnMember(node)) {
      written += text.slice(end, node.getFullStart());
      end = node.getEnd();
      return;
    }
    const replacement = replacements.get(node);
    if (replacement === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    written += text.slice(end, node.getStart()) + replacement.text;
    end = node.getEnd();
  };
  ts.forEachChild(statement, visit);
  return written + text.slice(end, statement.getEnd());
}

/**
 * Whether a member of a class is of no use outside of it. Without such members, a class and its
 * copy in another package are the same type.
 */
function isOwnMember(node: ts.Node): boolean {
  if (!ts.isClassElement(node) || !ts.canHaveModifiers(node)) return false;
  const isHidden = ({ kind }: ts.Modifier): boolean =>
    kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword;
  const isNamedSo = node.name !== undefined && ts.isPrivateIdentifier(node.name);
  return isNamedSo || (ts.getModifiers(node)?.some(isHidden) ?? false);
}
