/** Counts what an interface asks of its implementations. */
import ts from 'typescript';

/**
 * Returns the number of members of an interface in a source, those of others that it extends apart.
 *
 * @throws {Error} if the source has none of that name.
 */
export function countMembers(text: string, name: string): number {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest);
  const found = source.statements
    .filter(ts.isInterfaceDeclaration)
    .find((each) => each.name.text === name);
  if (found === undefined) throw new Error(`There is no interface ${name}.`);
  return found.members.length;
}
