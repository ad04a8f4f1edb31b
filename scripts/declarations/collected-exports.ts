/**
 * Spells out a type whose members are what modules export, as that of all operations is. So its
 * users check the members, and neither how they were collected nor what else the modules export.
 */
import ts from 'typescript';
import type { PathTo, Replacement } from './document-types.ts';

/** What stands in for the type of an alias, if modules export each of its members. */
export function collectedExports(
  checker: ts.TypeChecker,
  node: ts.Node,
  pathTo: PathTo,
): Replacement | undefined {
  if (!ts.isTypeReferenceNode(node) || !ts.isTypeAliasDeclaration(node.parent)) return undefined;
  if (node.parent.typeParameters !== undefined) return undefined;
  const members = checker.getTypeFromTypeNode(node).getProperties();
  const exported = members.map((member) => exportOf(member));
  if (members.length === 0 || !exported.every((each) => each !== undefined)) return undefined;
  const lines = exported.map(({ name, file }) => {
    return `  readonly ${name}: typeof import('${pathTo(file)}').${name};`;
  });
  return { text: `{\n${lines.join('\n')}\n}`, uses: exported.map(({ statement }) => statement) };
}

/** The statement that exports a member under its own name. */
function exportOf({ name, declarations = [] }: ts.Symbol) {
  const [declaration, ...others] = declarations;
  if (declaration === undefined || others.length > 0) return undefined;
  if (!ts.isVariableDeclaration(declaration)) return undefined;
  const statement = declaration.parent.parent;
  if (!ts.isVariableStatement(statement) || !ts.isSourceFile(statement.parent)) return undefined;
  return { name, statement, file: statement.parent };
}
