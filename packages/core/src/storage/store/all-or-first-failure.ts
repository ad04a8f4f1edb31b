/**
 * Work on each of several items in one body. A store over a remote engine runs a body on what it
 * has loaded, and loads what the body asked for. A body that ended at the first item which is not
 * loaded would run once for each item.
 */

/** Returns the result of each item. Where some fail, throws the first failure after all. */
export function allOrFirstFailure<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R,
): R[] {
  const results: R[] = [];
  const failures: unknown[] = [];
  for (const [index, item] of items.entries()) {
    try {
      results.push(work(item, index));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return results;
}
