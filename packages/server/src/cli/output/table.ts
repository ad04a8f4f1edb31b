/** Tables for people. */
import { styleText } from 'node:util';
import widthOf, { type Result } from 'fast-string-truncated-width';
import type { Terminal } from '../command/command.js';
import { fittedColumns, TIME_WIDTHS } from './fitted-columns.js';

const GAP = '  ';

const ELLIPSIS = '…';

/** A time as `timeCell()` and the audit log write it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A header of a column; one that yields is left out first where there is no room. */
export type Header = string | { readonly header: string; readonly yields?: boolean };

/**
 * Returns a table with aligned columns. Cells must be printable. On a terminal the table fits the
 * line: long cells are cut, columns for which there is no room are left out and named below it, and
 * the header is bold if the terminal has colours. Elsewhere every cell is whole.
 */
export function tableOf(
  headers: readonly Header[],
  rows: readonly (readonly string[])[],
  terminal?: Terminal,
): string {
  const header = headers.map((each) => (typeof each === 'string' ? each : each.header));
  const all = [header, ...rows];
  const columns = header.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? '');
    const isTime =
      cells.some(isTimeText) && cells.every((cell) => cell === '-' || isTimeText(cell));
    const given = headers[at];
    const yields = typeof given === 'object' && given.yields === true;
    return { header: width(name), most: Math.max(...[name, ...cells].map(width)), isTime, yields };
  });
  const line = terminal?.columns ?? Number.MAX_SAFE_INTEGER;
  const shown = fittedColumns(columns, line, GAP.length);
  const lines = all.map((row) =>
    shown
      .map(({ at, width: own }) => {
        const cell = cut(row[at] ?? '', own);
        return cell + ' '.repeat(own - width(cell));
      })
      .join(GAP)
      .trimEnd(),
  );
  const [first = '', ...others] = lines;
  const hidden = header.filter((_, at) => shown.every((column) => column.at !== at));
  const rest = hidden.length === 0 || terminal === undefined ? [] : [notShown(hidden, terminal)];
  return `${[styled('bold', first, terminal), ...others, ...rest].join('\n')}\n`;
}

function notShown(names: readonly string[], terminal: Terminal): string {
  const text = `Not shown: ${names.join(', ')}. --json shows everything.`;
  return styled('dim', cut(text, terminal.columns), terminal);
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
function cut(text: string, limit: number): string {
  if (width(text) > limit && limit >= TIME_WIDTHS.day && isTimeText(text)) {
    const [day = '', time = ''] = text.split('T');
    return limit < TIME_WIDTHS.minute ? day : `${day} ${time.slice(0, 5)}Z`;
  }
  const { index, ellipsed }: Result = widthOf(text, { limit, ellipsis: ELLIPSIS });
  return ellipsed ? text.slice(0, index) + ELLIPSIS : text;
}
