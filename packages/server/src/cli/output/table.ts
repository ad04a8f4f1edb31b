/** Tables for people. */
import { styleText } from 'node:util';
import widthOf, { type Result } from 'fast-string-truncated-width';
import type { Terminal } from '../command/command.js';
import { fittedColumns, TIME_WIDTHS } from './fitted-columns.js';

const GAP = '  ';

const ELLIPSIS = '…';

/** A time as tables and the audit log write it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Where a table is shown, and which column has the longest texts: by default the last one. */
export interface TableForm {
  readonly terminal?: Terminal | undefined;
  readonly longest?: number;
  /** Columns that are left out, the last ones first, where the line has no room; default none. */
  readonly optional?: readonly string[];
}

/**
 * Returns a table with aligned columns. Cells must be printable. On a terminal the table fits the
 * line: long cells are cut, optional columns without room are left out and named below, and the
 * header is bold if the terminal has colours. Elsewhere every cell of every column is whole.
 */
export function tableOf(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { terminal, longest = header.length - 1, optional = [] }: TableForm = {},
): string {
  const columns = header.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? '');
    const isTime =
      cells.some(isTimeText) && cells.every((each) => each === '-' || isTimeText(each));
    const most = Math.max(...[name, ...cells].map(width));
    const isOptional = optional.includes(name);
    return { header: width(name), most, isTime, isLongest: at === longest, isOptional };
  });
  const line = terminal?.columns ?? Number.MAX_SAFE_INTEGER;
  const shown = fittedColumns(columns, line, GAP.length);
  const [first = '', ...others] = [header, ...rows].map((row) =>
    shown
      .map(({ at, width: room }) => padded(cut(row[at] ?? '', room), room))
      .join(GAP)
      .trimEnd(),
  );
  const hidden = header.filter((_, each) => shown.every(({ at }) => at !== each));
  const note = terminal === undefined || hidden.length === 0 ? [] : [notShown(hidden, terminal)];
  return `${[styled('bold', first, terminal), ...others, ...note].join('\n')}\n`;
}

function notShown(names: readonly string[], terminal: Terminal): string {
  const text = `Not shown: ${names.join(', ')}. --json shows everything.`;
  return styled('dim', cut(text, terminal.columns), terminal);
}

function padded(cell: string, room: number): string {
  return cell + ' '.repeat(Math.max(0, room - width(cell)));
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

function isTimeText(text: string): boolean {
  return TIME.test(text);
}

/** Cuts a text. A time stays readable: to its minute, or to its day. */
function cut(text: string, room: number): string {
  if (width(text) > room && room >= TIME_WIDTHS.day && isTimeText(text)) {
    const [day = '', time = ''] = text.split('T');
    return room < TIME_WIDTHS.minute ? day : `${day} ${time.slice(0, 5)}Z`;
  }
  const limit = Math.max(1, room);
  const { index, ellipsed }: Result = widthOf(text, { limit, ellipsis: ELLIPSIS });
  return ellipsed ? text.slice(0, index) + ELLIPSIS : text;
}
