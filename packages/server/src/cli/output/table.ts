/** Tables for people. */
import { styleText } from 'node:util';
import widthOf, { type Result } from 'fast-string-truncated-width';
import type { Terminal } from '../command/command.js';

const GAP = '  ';

/** The width of a table that is not shown on a terminal. */
const WIDTH = 80;

/** The least width that the longest column is cut to. */
const LONGEST_WIDTH_MIN = 10;

const ELLIPSIS = '…';

/** Where a table is shown, and which column has the longest texts: by default the last one. */
export interface TableForm {
  readonly terminal?: Terminal | undefined;
  readonly longest?: number;
  /** Columns that are left out, the last ones first, where the width has no room; default none. */
  readonly optional?: readonly string[];
}

/**
 * Returns a table with aligned columns. Cells must be printable. On a terminal the longest column
 * is cut, and the header is bold if the terminal has colours.
 */
export function tableOf(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { terminal, longest = header.length - 1, optional = [] }: TableForm = {},
): string {
  const all = [header, ...rows];
  const widths = header.map((_, at) => Math.max(...all.map((row) => width(row[at] ?? ''))));
  const dispensable = optional.map((name) => header.indexOf(name));
  const columns = fitting({ widths, longest, dispensable }, terminal?.columns ?? WIDTH);
  const others = columns.filter((at) => at !== longest);
  const room =
    (terminal?.columns ?? Infinity) - others.reduce((sum, at) => sum + gapped(widths, at), 0);
  const lines = all.map((row) =>
    columns
      .map((at) => {
        const cell = at === longest ? cut(row[at] ?? '', room) : (row[at] ?? '');
        return at === columns.at(-1)
          ? cell
          : cell + ' '.repeat(padding(cell, widths[at] ?? 0, room));
      })
      .join(GAP)
      .trimEnd(),
  );
  const [first = '', ...rest] = lines;
  return `${[styled('bold', first, terminal), ...rest].join('\n')}\n`;
}

/** The columns of a table, by their numbers. */
interface Columns {
  readonly widths: readonly number[];
  readonly longest: number;
  /** Those that may be left out, in order. */
  readonly dispensable: readonly number[];
}

/** Returns the columns that fit. */
function fitting({ widths, longest, dispensable }: Columns, limit: number): readonly number[] {
  const needed = (at: number) =>
    at === longest ? Math.min(widths[at] ?? 0, LONGEST_WIDTH_MIN) + GAP.length : gapped(widths, at);
  let columns = [...widths.keys()];
  for (const unneeded of dispensable.toReversed()) {
    if (columns.reduce((sum, at) => sum + needed(at), 0) - GAP.length <= limit) break;
    columns = columns.filter((at) => at !== unneeded);
  }
  return columns;
}

function gapped(widths: readonly number[], at: number): number {
  return (widths[at] ?? 0) + GAP.length;
}

/** Returns the blanks behind a cell of a column that is as wide as its room at most. */
function padding(cell: string, columnWidth: number, room: number): number {
  return Math.max(0, Math.min(columnWidth, Math.max(LONGEST_WIDTH_MIN, room)) - width(cell));
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
  if (columns === Infinity) return text;
  const limit = Math.max(LONGEST_WIDTH_MIN, columns);
  const { index, ellipsed }: Result = widthOf(text, { limit, ellipsis: ELLIPSIS });
  return ellipsed ? text.slice(0, index) + ELLIPSIS : text;
}
