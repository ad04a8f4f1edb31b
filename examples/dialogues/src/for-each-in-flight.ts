/**
 * Runs a task for each item, a bounded number at a time.
 */

/**
 * Starts tasks in order of the items and keeps `inFlight` of them running. After a failure no
 * further task starts, and the promise rejects with it once the running ones have ended.
 */
export async function forEachInFlight<T>(
  items: readonly T[],
  inFlight: number,
  task: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    // The workers share one iterator, so each takes the next item when it is free.
    for (const [index, item] of entries) {
      if (hasFailed) return;
      try {
        await task(item, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: inFlight }, work));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
