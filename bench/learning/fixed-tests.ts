/**
 * Tests that look once, after a number of cases that is fixed beforehand, to compare the algorithms
 * of learning policies with. Outcomes are successes and failures, so a difference is -1, 0 or 1.
 */
import { sharesFrom } from '@agentkeep/testkit/random';

/** Candidates that are simulated. */
const CANDIDATES = 1_000;

/** How baseline and candidate succeed. */
export interface Setting {
  readonly baseline: number;
  readonly difference: number;
  /** Share of cases in which the same luck decides for both. */
  readonly shared: number;
}

/** Judges a candidate by its cases, at an error probability. */
export type FixedTest = (
  outcome: { readonly cases: number; readonly wins: number; readonly losses: number },
  delta: number,
) => boolean;

/**
 * The empirical Bernstein bound for values in a range of width 2 (A. Maurer and M. Pontil,
 * "Empirical Bernstein bounds and sample-variance penalization", COLT 2009, theorem 4).
 */
export const bernstein: FixedTest = ({ cases, wins, losses }, delta) => {
  const mean = (wins - losses) / cases;
  const variance = (wins + losses - cases * mean ** 2) / (cases - 1);
  const log = Math.log(2 / delta);
  return mean > Math.sqrt((2 * variance * log) / cases) + (2 * 7 * log) / (3 * (cases - 1));
};

/** The exact test of successes and failures: are so many wins among the differences luck? */
export const exact: FixedTest = ({ wins, losses }, delta) =>
  wins >= leastWins(wins + losses, delta);

/** What `leastWins()` found, by error probability and number of differences. */
const found = new Map<number, Map<number, number>>();

/** Returns the least wins among some differences that are hardly luck. */
function leastWins(decided: number, delta: number): number {
  const known = found.get(delta) ?? new Map<number, number>();
  found.set(delta, known);
  const least = known.get(decided) ?? countWins(decided, delta);
  known.set(decided, least);
  return least;
}

function countWins(decided: number, delta: number): number {
  let logTerm = -decided * Math.log(2);
  let below = 0;
  // The probability of fewer wins than these, if both are as likely.
  for (let count = 0; count <= decided; count += 1) {
    if (1 - below <= delta) return count;
    below += Math.exp(logTerm);
    logTerm += Math.log((decided - count) / (count + 1));
  }
  return Infinity;
}

/** Returns the share of candidates that a test accepts after each number of cases. */
export function acceptedShares(
  test: FixedTest,
  setting: Setting,
  cases: readonly number[],
  delta: number,
): number[] {
  const roll = sharesFrom(1);
  const accepted = cases.map(() => 0);
  const chances = chancesOf(setting);
  for (let candidate = 0; candidate < CANDIDATES; candidate += 1) {
    let [wins, losses, done] = [0, 0, 0];
    for (const [at, end] of cases.entries()) {
      for (; done < end; done += 1) {
        const drawn = roll();
        if (drawn < chances.win) wins += 1;
        else if (drawn < chances.win + chances.loss) losses += 1;
      }
      if (test({ cases: end, wins, losses }, delta)) accepted[at] = (accepted[at] ?? 0) + 1;
    }
  }
  return accepted.map((count) => count / CANDIDATES);
}

function chancesOf({ baseline, difference, shared }: Setting) {
  const [candidate, apart] = [baseline + difference, 1 - shared];
  const win = shared * difference + apart * candidate * (1 - baseline);
  return { win, loss: apart * baseline * (1 - candidate) };
}
