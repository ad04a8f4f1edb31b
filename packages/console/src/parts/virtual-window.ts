/** Which rows of a long list are drawn, and when more are loaded. */

/** Rows that are drawn above and below those in view. */
const AROUND = 8;

/** Rows before the end at which more are loaded, or as many as are drawn if that is more. */
const AHEAD = 50;

/** A part of a list: from one row on, before another. */
export interface RowWindow {
  readonly from: number;
  readonly before: number;
}

/** Returns the rows to draw. Sizes are in pixels. */
export function rowsInView(view: {
  readonly scrolled: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: number;
}): RowWindow {
  const { scrolled, height, rowHeight, rows } = view;
  const first = Math.floor(Math.max(0, scrolled) / rowHeight);
  const last = Math.ceil((Math.max(0, scrolled) + height) / rowHeight);
  const before = Math.min(rows, last + AROUND);
  return { from: Math.min(Math.max(0, first - AROUND), before), before };
}

/** Returns whether a person is so near the end that more rows are loaded. */
export function isNearEnd({ from, before }: RowWindow, rows: number): boolean {
  return rows - before < Math.max(AHEAD, before - from);
}
