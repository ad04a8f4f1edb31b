/** Reads docstrings of exported constants from the sources. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * Returns the docstrings of the exported constants of a file, by the names that `nameOf` finds. A
 * constant without one shares that of the constant before it.
 */
export function docstringsOf(
  path: string,
  nameOf = (constant: ts.VariableDeclaration): string => constant.name.getText(),
): Map<string, string> {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const comments = new Map<string, string>();
  let comment = '';
  for (const statement of file.statements) {
    const [declaration] = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : [];
    const isExported =
      ts.isVariableStatement(statement) && text.startsWith('export', statement.getStart());
    if (declaration === undefined || !isExported) continue;
    const [docstring] = ts.getJSDocCommentsAndTags(statement);
    comment = ts.getTextOfJSDocComment(docstring?.comment) ?? comment;
    comments.set(nameOf(declaration), comment.replaceAll(/\s+/g, ' '));
  }
  return comments;
}
