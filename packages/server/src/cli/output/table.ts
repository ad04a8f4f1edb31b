/** Tables for people. */
import { styleText } from 'node:util';
import widthOf, { type Result } from 'fast-string-truncated-width';
import type { Terminal } from '../command/command.js';

const GAP = '  ';

/** The least width that the last column is cut to. */
const LAST_WIDTH_MIN = 20;

const ELLIPSIS = '…';

/**
 * Returns a table with aligned columns. Cells must be printable. On a terminal the last column is
 * cut at the end of the line, and the header is bold if the terminal has colours.
 */
export function tableOf(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  terminal?: Terminal,
): string {
  const all = [header, ...rows];
  const widths = header.map((_, at) => Math.max(...all.map((row) => width(row[at] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  const lines = all.map((row) =>
    row
      .map((cell, at) => {
        if (at < header.length - 1) return cell + ' '.repeat((widths[at] ?? 0) - width(cell));
        return terminal === undefined ? cell : cut(cell, terminal.columns - before);
      })
      .join(GAP)
      .trimEnd(),
  );
  const [first = '', ...others] = lines;
  return `${[styled('bold', first, terminal), ...others].join('\n')}\n`;
}

/** Returns names and values in two columns, without a header. */
export function listOf(rows: readonly (readonly [string, string])[], terminal?: Terminal): string {
  const left = Math.max(0, ...rows.map(([name]) => name.length));
  const lines = rows.map(
    ([name, value]) => `${styled('dim', name.padEnd(left), terminal)}${GAP}${value}`,
  );
  return `${lines.join('\n')}\n`;
}

/** Styles a text if the terminal has colours. */
export function styled(
  style: Parameters<typeof styleText>[0],
  text: string,
  terminal: Terminal | undefined,
): string {
  return terminal?.hasColors === true ? styleText(style, text, { validateStream: false }) : text;
}

function width(text: string): number {
  return widthOf(text).width;
}

function cut(text: string, columns: number): string {
  const limit = Math.max(LAST_WIDTH_MIN, columns);
  const { index, ellipsed }: Result = widthOf(text, { limit, ellipsis: ELLIPSIS });
  return ellipsed ? text.slice(0, index) + ELLIPSIS : text;
}
