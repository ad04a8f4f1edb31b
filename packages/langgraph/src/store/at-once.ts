/** Concurrent calls, up to a bound. */

/** Calls of one batch that work at the same time. */
const CALLS_AT_ONCE = 16;

/** Returns the result of each call, in order; some of them run at the same time. */
export async function someAtOnce<T, R>(
  items: readonly T[],
  call: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += CALLS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + CALLS_AT_ONCE).map(call))));
  }
  return results;
}
