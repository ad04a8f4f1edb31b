/**
 * Finds the fewest steps that still go wrong.
 */

/**
 * Leaves steps out, many at once and then one by one, for as long as it still fails. Gives steps of
 * which none can be left out alone, if leaving out others later did not change that.
 */
export async function shrinkSteps<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let current = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    // From the end, since what comes last needs what came before it, and not the other way round.
    for (let start = current.length - size; start > -size; start -= size) {
      const fewer = current.toSpliced(Math.max(start, 0), size);
      if (fewer.length < current.length && (await fails(fewer))) current = fewer;
    }
  }
  return current;
}
