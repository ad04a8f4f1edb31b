/** Answers of operations, as tables and lists for people or as JSON for programs. */
import type { CommandIo } from '../../command/command.js';
import { cellOf, jsonLine, timeCell } from '../../output/printable.js';
import { listOf, tableOf } from '../../output/table.js';
import type { OperationCommand } from './stated-commands.js';

/** A column of a table. */
type Column = NonNullable<OperationCommand['columns']>[number];

/** How an answer is printed. */
export interface AnswerForm {
  readonly json: boolean;
  readonly columns: readonly Column[] | undefined;
  /** Whether the following pages are printed too. */
  readonly follows: boolean;
}

/** Rows of a table, and the cursor of the next page. */
interface Rows {
  readonly rows: readonly unknown[];
  readonly cursor: string | undefined;
}

/** Members that show that an answer is a list. */
interface Listing {
  readonly page?: unknown;
  readonly next_cursor?: unknown;
}

/** Members of a list beside its rows. */
const PAGE_MEMBERS = ['contract_version', 'count', 'limit'];

/** Most columns of a table that names none. */
const COLUMNS_MAX = 6;

/** Prints an answer; returns the cursor of the next page, if it is a page. */
export async function printAnswer(
  io: CommandIo,
  answer: object,
  { json, columns, follows }: AnswerForm,
): Promise<string | undefined> {
  const found = rowsOf(answer);
  if (json) {
    await io.writeOut(jsonLine(answer));
  } else if (found === undefined) {
    await printDocument(io, unwrapped(answer), false);
  } else {
    await io.writeOut(rowsText(io, found.rows, columns));
    if (found.cursor !== undefined && !follows) {
      io.writeError(`There are more: add --all, or --cursor ${found.cursor}\n`);
    }
  }
  return found?.cursor;
}

/** Prints one document: as a line of JSON, or a line for each member. */
export function printDocument(io: CommandIo, document: object, json: boolean): Promise<void> {
  return io.writeOut(json ? jsonLine(document) : listOf(linesOf(document), io.terminal));
}

/** Returns the rows of an answer that is a list: its only array, or the array of its page. */
function rowsOf(answer: object): Rows | undefined {
  const { page, next_cursor: cursor, ...members } = answer as Listing;
  if (typeof page === 'object' && page !== null) return rowsOf(page);
  const others = Object.entries<unknown>(members).filter(([name]) => !PAGE_MEMBERS.includes(name));
  const rows = others.map(([, each]) => each).find(isArray);
  if (rows === undefined || (cursor === undefined && others.length > 1)) return undefined;
  return { rows, cursor: typeof cursor === 'string' ? cursor : undefined };
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function rowsText(
  { terminal }: CommandIo,
  rows: readonly unknown[],
  columns: readonly Column[] | undefined,
): string {
  if (rows.length === 0) return 'None.\n';
  const shown = (columns ?? scalarMembers(rows[0])).map(asColumn);
  const headers = shown.map(({ header }) => header);
  return tableOf(
    headers,
    rows.map((row) => shown.map(({ path }) => cellAt(row, path))),
    { terminal, optional: headers.slice(1, -1) },
  );
}

function scalarMembers(row: unknown): string[] {
  return Object.entries(Object(row) as object)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name]) => name)
    .slice(0, COLUMNS_MAX);
}

/** Returns the last name of a path, without its unit: tables show times as dates. */
function asColumn(column: Column) {
  if (typeof column !== 'string') return column;
  const name = column.split('.').at(-1) ?? column;
  return { header: name.replace(/_millis$/, '').toUpperCase(), path: column };
}

function cellAt(row: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (Object(inner) as Record<string, unknown>)[name], row);
  return path.endsWith('_millis') ? timeCell(value) : cellOf(value);
}

/** Returns the document of an answer that contains only the document and the contract's version. */
function unwrapped(answer: object): object {
  const entries: [string, unknown][] = Object.entries(answer);
  const members = entries.filter(([name]) => name !== 'contract_version');
  const [[, only] = [], ...others] = members;
  const isWrapped = others.length === 0 && typeof only === 'object' && only !== null;
  return isWrapped ? only : Object.fromEntries(members);
}

/** Returns the members of a document and of those inside it, by their paths. */
function linesOf(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]): [string, string][] => {
    const place = path === '' ? name : `${path}.${name}`;
    const isInner = typeof member === 'object' && member !== null;
    const isList = Array.isArray(member) && member.every((each) => typeof each !== 'object');
    if (isInner && !isList && Object.keys(member).length > 0) return linesOf(member, place);
    return [[place, cellAt(value, name)]];
  });
}
