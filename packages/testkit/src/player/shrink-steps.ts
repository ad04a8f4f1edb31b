/**
 * Finds a smaller list of steps that still fails.
 */

/**
 * Leaves steps out, many at once and then one by one, as long as the rest still fails.
 */
export async function shrinkSteps<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let current = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    // From the end, because later steps depend on earlier ones.
    for (let start = current.length - size; start > -size; start -= size) {
      const fewer = current.toSpliced(Math.max(start, 0), size);
      if (fewer.length < current.length && (await fails(fewer))) current = fewer;
    }
  }
  return current;
}
