/**
 * Finds the few calls that show the contradiction of a history.
 */
import type { Call } from './call.js';
import type { Observed } from './observed.js';
import { unanswered } from './timing.js';

/** Most states per search. With few answers there are many orders; an undecided answer is kept. */
const STATES_MAX = 2_000;
/** Most attempts to shrink. A few hundred are usually enough. */
const ATTEMPTS_MAX = 500;

/**
 * Returns calls whose answers contradict each other. Without the answer of almost any of them, the
 * rest can be explained. All other calls count as uncertain, so these calls are wrong whatever the
 * others did.
 */
export function smallestContradiction(observed: Observed): readonly Call[] {
  let attempts = 0;
  const fails = (calls: readonly Call[]): boolean => {
    attempts += 1;
    if (attempts > ATTEMPTS_MAX) return false;
    return observed.judge(calls, STATES_MAX) === 'contradictory';
  };
  const calls = weakened(shortestFailing(observed.calls, fails), fails);
  return calls.filter(({ answer }) => answer.type !== 'unknown');
}

/** Returns the shortest failing prefix; every longer one fails too. */
function shortestFailing(
  calls: readonly Call[],
  fails: (calls: readonly Call[]) => boolean,
): readonly Call[] {
  const ends = calls.map(({ returnedAt }) => returnedAt).filter((end) => end !== Infinity);
  ends.sort((one, other) => one - other);
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fails(until(calls, ends[middle]!))) high = middle;
    else low = middle + 1;
  }
  return until(calls, ends[low] ?? Infinity);
}

/** Returns the calls up to a position. */
function until(calls: readonly Call[], end: number): readonly Call[] {
  const begun = calls.filter(({ calledAt }) => calledAt <= end);
  return begun.map((call) => (call.returnedAt <= end ? call : unanswered(call)));
}

/** Removes answers, in groups and then one by one, while the history still fails. */
function weakened(
  calls: readonly Call[],
  fails: (calls: readonly Call[]) => boolean,
): readonly Call[] {
  let current = [...calls];
  for (let size = Math.ceil(current.length / 2); size >= 1; size = Math.floor(size / 2)) {
    let isSmaller = true;
    while (isSmaller) {
      isSmaller = false;
      for (let start = 0; start < current.length; start += size) {
        const part = current.slice(start, start + size);
        if (part.every(({ answer }) => answer.type === 'unknown')) continue;
        const fewer = current.toSpliced(start, size, ...part.map(unanswered));
        if (!fails(fewer)) continue;
        current = fewer;
        isSmaller = true;
      }
    }
  }
  return current;
}
