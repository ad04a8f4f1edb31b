/** Building blocks of the generated reference pages. */

/** A page of the reference. */
export interface ReferencePage {
  /** File name within `docs/reference/`. */
  readonly name: string;
  readonly text: string;
}

/** Returns a page, with a note on where to make changes. */
export function page(name: string, title: string, source: string, parts: readonly string[]) {
  const note = `Generated from ${source} by \`npm run docs:reference\`; edits here are lost.`;
  return { name, text: `${[`# ${title}`, note, ...parts].join('\n\n')}\n` };
}

/** Returns a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns a text in code type. */
export function code(text: string | number): string {
  return `\`${text}\``;
}

/** Returns an integer with separated thousands. */
export function grouped(value: number): string {
  return Number.isSafeInteger(value) ? value.toLocaleString('en-US') : String(value);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
