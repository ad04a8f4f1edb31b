/**
 * What the generated pages of the reference are made of.
 *
 * @module
 */

/** A page of the reference. */
export interface ReferencePage {
  /** File name within `docs/reference/`. */
  readonly name: string;
  readonly text: string;
}

/** Makes a page, with the note that tells where changes belong. */
export function page(name: string, title: string, source: string, parts: readonly string[]) {
  const note = `Generated from ${source} by \`npm run docs:reference\`; edits here are lost.`;
  return { name, text: `${[`# ${title}`, note, ...parts].join('\n\n')}\n` };
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A text in code type. */
export function code(text: string | number): string {
  return `\`${text}\``;
}

/** An integer with its thousands parted. */
export function grouped(value: number): string {
  return Number.isSafeInteger(value) ? value.toLocaleString('en-US') : String(value);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
