/**
 * Random numbers from a seed.
 */

/**
 * Returns a generator of numbers in [0, 1), a linear congruence with Numerical Recipes' constants.
 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
