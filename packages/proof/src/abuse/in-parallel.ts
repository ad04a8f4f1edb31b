/**
 * Repeats work, several at a time.
 */

/** Calls `work` for each number below `count`, at most `parallel` at a time. */
export async function inParallel(
  count: number,
  parallel: number,
  work: (at: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: Math.min(count, parallel) }, async () => {
    while (next < count) await work(next++);
  });
  await Promise.all(workers);
}
