/** Changes of the text of a file, and the reasons to refuse them. */
import type { InsertCommand, StrReplaceCommand } from './commands.js';

/**
 * Replaces a text that is in exactly one line. Returns the new text and the number of that line.
 * @throws {Error} when it is in none or in several.
 */
export function replacedText(
  text: string,
  { path, old_str, new_str }: StrReplaceCommand,
): { readonly text: string; readonly line: number } {
  const found = text.split('\n').flatMap((line, at) => (line.includes(old_str) ? [at + 1] : []));
  const [line, ...others] = found;
  if (line === undefined) {
    throw new Error(
      `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`,
    );
  }
  if (others.length > 0) {
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${found.join(', ')}. Please ensure it is unique`,
    );
  }
  return { text: text.replace(old_str, () => new_str), line };
}

/**
 * Inserts text after a line.
 * @throws {Error} when there is no such line.
 */
export function insertedText(text: string, { insert_line, insert_text }: InsertCommand): string {
  const lines = text.split('\n');
  if (insert_line < 0 || insert_line > lines.length) {
    throw new Error(
      `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  }
  lines.splice(insert_line, 0, insert_text.replace(/\n$/u, ''));
  return lines.join('\n');
}
