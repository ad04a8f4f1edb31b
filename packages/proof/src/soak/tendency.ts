/**
 * Decides whether a series of readings rises.
 */

/** Largest rise over the last two thirds of a run: the greater of both members. */
export interface Tolerance {
  /** As a fraction of the median. */
  readonly share: number;
  /** In units of the reading. */
  readonly least: number;
}

/** Level and rise of readings. */
export interface Tendency {
  /** The median of the last two thirds. */
  readonly middle: number;
  /** The rise over the last two thirds. */
  readonly rise: number;
}

/**
 * Returns the tendency of evenly spaced readings. It ignores the first third, in which a process
 * fills its caches. The slope is the median of the slopes between all pairs, so that outliers have
 * little effect.
 */
export function tendencyOf(readings: readonly number[]): Tendency {
  const late = readings.slice(Math.floor(readings.length / 3));
  const slopes = late.flatMap((from, start) =>
    late.slice(start + 1).map((to, index) => (to - from) / (index + 1)),
  );
  return { middle: medianOf(late), rise: medianOf(slopes) * Math.max(0, late.length - 1) };
}

/** Whether the rise is within the tolerance. */
export function isFlat({ middle, rise }: Tendency, { share, least }: Tolerance): boolean {
  return rise <= Math.max(share * middle, least);
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
