/** Decides how wide the columns of a table are, and which have no room. */

/** A column with its natural width. All widths are in cells of a terminal. */
export interface NaturalColumn {
  /** Width of the header. */
  readonly header: number;
  /** Width of the longest cell, or of the header if that is longer. */
  readonly most: number;
  /** Whether its cells are times, which are cut to a minute or a day only. */
  readonly isTime: boolean;
  /** Whether it is left out before others. */
  readonly yields: boolean;
}

/** A column that is shown. */
export interface FittedColumn {
  /** Its place in the table. */
  readonly at: number;
  readonly width: number;
}

/** Widths in which a time is readable: whole, to its minute, and to its day. */
export const TIME_WIDTHS = { whole: 24, minute: 17, day: 10 } as const;

/** An id in the first column stays whole, as commands take it as their argument. */
const FIRST_WIDTH_MIN = 36;

const INNER_WIDTH_MIN = 8;

/** The last column has the text. */
const LAST_WIDTH_MIN = 16;

/**
 * Returns the columns that fit a line, in order. If not even their least widths fit, the columns
 * before the last one are left out: those that yield, then from the right.
 */
export function fittedColumns(
  columns: readonly NaturalColumn[],
  line: number,
  gap: number,
): readonly FittedColumn[] {
  const all = columns.map((column, at) => ({ ...column, at, least: leastOf(column, at, columns) }));
  const room = (shown: number): number => line - gap * (shown - 1);
  while (all.length > 2 && sumOf(all.map(({ least }) => least)) > room(all.length)) {
    const at = all.findLastIndex(({ yields }) => yields);
    all.splice(at === -1 ? all.length - 2 : at, 1);
  }
  let rest = room(all.length) - sumOf(all.map(({ least }) => least));
  const widths = new Map<number, number>();
  // Those that need least come first, so that what they leave goes to the others.
  const byNeed = all.toSorted((one, other) => one.most - one.least - (other.most - other.least));
  byNeed.forEach(({ at, most, least, isTime }, done) => {
    const share = Math.max(0, Math.floor(rest / (byNeed.length - done)));
    const width = isTime ? timeWidth(least, least + share, most) : Math.min(most, least + share);
    rest -= width - least;
    widths.set(at, width);
  });
  return all.map(({ at }) => ({ at, width: widths.get(at) ?? 0 }));
}

function leastOf(
  { header, most, isTime }: NaturalColumn,
  at: number,
  { length }: readonly NaturalColumn[],
): number {
  if (isTime) return Math.min(most, Math.max(header, TIME_WIDTHS.day));
  if (at === 0) return Math.min(most, FIRST_WIDTH_MIN);
  if (at === length - 1) return Math.min(most, LAST_WIDTH_MIN);
  return Math.min(most, Math.max(header, INNER_WIDTH_MIN));
}

/** Returns the widest form of a time that a column has room for. */
function timeWidth(least: number, available: number, most: number): number {
  if (available >= most) return most;
  return available >= TIME_WIDTHS.minute ? Math.max(least, TIME_WIDTHS.minute) : least;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
