/**
 * Random numbers that a seed repeats.
 */

/** Returns a whole number from 0 up to but not including `end`. */
export type Random = (end: number) => number;

/** Makes the numbers of a seed, by a linear congruential generator modulo 2^32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * end);
  };
}

/** Makes numbers from 0 to 1, for simulations of chances: the generator mulberry32. */
export function sharesFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
