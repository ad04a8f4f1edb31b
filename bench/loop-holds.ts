/** Measures for how long the event loop is held at a time. */
import { readFileSync } from 'node:fs';

/** Nanoseconds for which a thread was ready but another program had its core. Linux only. */
const WAITED = '/proc/thread-self/schedstat';

/**
 * Watches the event loop while work runs. A hold is the time between two turns of the loop, without
 * the time in which another program had the core, so that figures of a busy machine are right too.
 */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let before = stamp();
  const look = (): void => {
    const now = stamp();
    longest = Math.max(longest, now.atMs - before.atMs - (now.waitedMs - before.waitedMs));
    // Taken again, so that the look itself does not count.
    before = stamp();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    isOver = true;
    look();
  }
  return longest;
}

function stamp(): { readonly atMs: number; readonly waitedMs: number } {
  return { waitedMs: waitedMs(), atMs: performance.now() };
}

function waitedMs(): number {
  try {
    return Number(readFileSync(WAITED, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
