/** Where the points of a chart are, and how high it has to be. */

/** A value at a time; without a value the line has a gap. */
export interface ChartPoint {
  readonly atMs: number;
  readonly value: number | undefined;
}

/** What a chart shows: a time on its left and right, and a bottom below a top. */
export interface ChartFrame {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** Returns a round number that is not below a value. */
export function roundTop(value: number): number {
  if (!Number.isFinite(value) || value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5].find((each) => each * power >= value) ?? 10;
  return step * power;
}

/** Returns the values of some points, without gaps. */
export function valuesOf(points: readonly ChartPoint[]): number[] {
  return points.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** Returns the path of a line. A point alone between gaps is a dot. */
export function pathOfLine(points: readonly ChartPoint[], frame: ChartFrame): string {
  const { fromMs, untilMs, top, bottom, width, height } = frame;
  const span = Math.max(1, untilMs - fromMs);
  let isDrawing = false;
  return points
    .map(({ atMs, value }) => {
      const begins = !isDrawing;
      isDrawing = value !== undefined;
      if (value === undefined) return '';
      const x = (((atMs - fromMs) / span) * width).toFixed(1);
      const y = (((top - value) / (top - bottom)) * height).toFixed(1);
      return begins ? `M${x} ${y}h0` : `L${x} ${y}`;
    })
    .join('');
}
