/** Rounds vectors to integers and measures the rounding error. */

/** Covers the rounding of sums of 64-bit numbers, of as many as a vector has components. */
export const SUM_SLACK = 1e-9;

/** The numbers of a rounded vector that its codes lack. */
export interface Rounding {
  /** What one unit of a code stands for. */
  readonly scale: number;
  /** Euclidean length of the vector. */
  readonly length: number;
  /** An upper bound of the Euclidean length of the rounding error. */
  readonly error: number;
}

/** Writes the components of a vector as integers from `-most` to `most`. */
export function roundTo(
  codes: Int8Array | Int16Array,
  most: number,
  vector: ArrayLike<number>,
): Rounding {
  let greatest = 0;
  for (let at = 0; at < vector.length; at += 1) {
    greatest = Math.max(greatest, Math.abs(vector[at] ?? 0));
  }
  const scale = greatest / most;
  let squares = 0;
  let missed = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const component = vector[at] ?? 0;
    const code = scale === 0 ? 0 : Math.round(component / scale);
    codes[at] = code;
    squares += component * component;
    missed += (component - code * scale) ** 2;
  }
  return { scale, length: Math.sqrt(squares), error: Math.sqrt(missed) * (1 + SUM_SLACK) };
}
