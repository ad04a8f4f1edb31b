/**
 * Randomness that a seed repeats.
 * @module
 */

/** A new seed; printed, so that what it led to can be led to again. */
export function newSeed(): number {
  const given = process.env['AGENTKEEP_TEST_SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  console.info(`seed ${String(seed)}; repeat with AGENTKEEP_TEST_SEED=${String(seed)}`);
  return seed;
}

/** Numbers from 0 up to 1, by a linear congruence with the constants of Numerical Recipes. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
