/** Decides how wide the columns of a table are, and which have no room. */

/** A column with its natural width. All widths are in cells of a terminal. */
export interface NaturalColumn {
  /** Width of the header. */
  readonly header: number;
  /** Width of the longest cell, or of the header if that is longer. */
  readonly most: number;
  /** Whether its cells are times, which are cut to a minute or a day only. */
  readonly isTime: boolean;
  readonly isLongest: boolean;
  /** Whether it may be left out. */
  readonly isOptional: boolean;
}

/** A column that is shown. */
export interface FittedColumn {
  /** Its place in the table. */
  readonly at: number;
  readonly width: number;
}

/** Widths in which a time is readable: to its minute, and to its day. */
export const TIME_WIDTHS = { minute: 17, day: 10 } as const;

/** An id in the first column stays whole, as commands take it as their argument. */
const FIRST_WIDTH_MIN = 36;

const WIDTH_MIN = 8;

/** The longest column has the text. */
const LONGEST_WIDTH_MIN = 16;

/**
 * Returns the columns that fit a line, in order. If not even their least widths fit, optional ones
 * are left out, beginning with the rightmost.
 */
export function fittedColumns(
  columns: readonly NaturalColumn[],
  line: number,
  gap: number,
): readonly FittedColumn[] {
  const shown = columns.map((column, at) => ({ ...column, at, least: leastOf(column, at) }));
  const rest = (): number =>
    shown.reduce((room, { least }) => room - least, line - gap * (shown.length - 1));
  while (rest() < 0) {
    const at = shown.findLastIndex(({ isOptional }) => isOptional);
    if (at === -1) break;
    shown.splice(at, 1);
  }
  let free = Math.max(0, rest());
  const widths = new Map<number, number>();
  // Those that need least come first, so that what they leave goes to the others.
  const byNeed = shown.toSorted((one, other) => one.most - one.least - (other.most - other.least));
  byNeed.forEach(({ at, most, least, isTime }, done) => {
    const room = least + Math.floor(free / (byNeed.length - done));
    const width = isTime ? timeWidth(least, room, most) : Math.min(most, room);
    free -= width - least;
    widths.set(at, width);
  });
  return shown.map(({ at }) => ({ at, width: widths.get(at) ?? 0 }));
}

function leastOf({ header, most, isTime, isLongest }: NaturalColumn, at: number): number {
  if (isLongest) return Math.min(most, LONGEST_WIDTH_MIN);
  if (isTime) return Math.min(most, Math.max(header, TIME_WIDTHS.day));
  return Math.min(most, at === 0 ? FIRST_WIDTH_MIN : Math.max(header, WIDTH_MIN));
}

/** Returns the widest form of a time that a column has room for. */
function timeWidth(least: number, room: number, most: number): number {
  if (room >= most) return most;
  return room >= TIME_WIDTHS.minute ? Math.max(least, TIME_WIDTHS.minute) : least;
}
