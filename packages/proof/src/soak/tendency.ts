/**
 * Whether readings that were taken one after the other stay where they are.
 * @module
 */

/** How far readings may rise over the last two thirds of a run. */
export interface Tolerance {
  /** In parts of the middle reading. */
  readonly share: number;
  /** In units of the reading, where the share is less. */
  readonly least: number;
}

/** Where readings are, and where they go. */
export interface Tendency {
  /** The middle reading of the last two thirds. */
  readonly middle: number;
  /** How far they rise from the beginning of the last two thirds to the end. */
  readonly rise: number;
}

/**
 * The tendency of evenly spaced readings. The first third is left out, since a process that starts
 * fills its caches. The slope is the middle one of those between all pairs, so that single readings
 * count for little.
 */
export function tendencyOf(readings: readonly number[]): Tendency {
  const late = readings.slice(Math.floor(readings.length / 3));
  const slopes = late.flatMap((from, start) =>
    late.slice(start + 1).map((to, index) => (to - from) / (index + 1)),
  );
  return { middle: middleOf(late), rise: middleOf(slopes) * Math.max(0, late.length - 1) };
}

/** Whether readings rise no further than they may. */
export function isFlat({ middle, rise }: Tendency, { share, least }: Tolerance): boolean {
  return rise <= Math.max(share * middle, least);
}

function middleOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
