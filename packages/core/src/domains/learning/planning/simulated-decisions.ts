/** Simulates candidates to count how many of them an algorithm has accepted after each trial. */
import { confidenceRadius } from '../evidence/hoeffding-policy.js';
import type { PolicyDefinition } from '../policy/schema.js';
import { BET_SHARES } from '../evidence/wealth-policy.js';

/** How baseline and candidate succeed, and what the policy asks for. */
export interface Assumptions {
  readonly baseline: number;
  readonly difference: number;
  readonly shared: number;
  readonly delta: number;
  readonly minImprovement: number;
}

/** Candidates that are simulated. */
const CANDIDATES = 1_000;

/**
 * Returns, for each number of trials from 1 on, the share of candidates that are accepted by then:
 * with a fixed budget of that many trials, or by bets that look after each one.
 */
export function decidedShares(
  algorithm: PolicyDefinition['algorithm'],
  assumed: Assumptions,
  trials: number,
): readonly number[] {
  const accepted = new Array<number>(trials).fill(0);
  if (algorithm === 'betting_e_process_v1') {
    for (let at = 0; at < CANDIDATES; at += 1) {
      const when = acceptedAt(differencesOf(assumed, at), assumed, trials);
      if (when !== undefined) accepted[when - 1] = (accepted[when - 1] ?? 0) + 1;
    }
    let sum = 0;
    return accepted.map((count) => (sum += count) / CANDIDATES);
  }
  const least = accepted.map(
    (_, at) => (at + 1) * (assumed.minImprovement + confidenceRadius(at + 1, assumed.delta)),
  );
  for (let at = 0; at < CANDIDATES; at += 1) {
    const differences = differencesOf(assumed, at);
    let sum = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      sum += differences();
      if (sum >= (least[trial] ?? 0)) accepted[trial] = (accepted[trial] ?? 0) + 1;
    }
  }
  return accepted.map((count) => count / CANDIDATES);
}

/** Plays the bets of one candidate, and returns the trial that accepts it. */
function acceptedAt(
  differences: () => number,
  { delta, minImprovement: least }: Assumptions,
  trials: number,
): number | undefined {
  const gains = Object.fromEntries([-1, 0, 1].map((each) => [each, factors(each, least)]));
  const losses = Object.fromEntries([-1, 0, 1].map((each) => [each, factors(-each, -least)]));
  const wealth = BET_SHARES.map(() => 1 / BET_SHARES.length);
  const opposing = [...wealth];
  for (let trial = 1; trial <= trials; trial += 1) {
    const difference = differences();
    if (grown(wealth, gains[difference]) * delta >= 1) return trial;
    if (grown(opposing, losses[difference]) * delta >= 1) return undefined;
  }
  return undefined;
}

/** Multiplies each part, and returns their sum. */
function grown(parts: number[], by: readonly number[] = []): number {
  let sum = 0;
  for (let at = 0; at < parts.length; at += 1) {
    const part = (parts[at] ?? 0) * (by[at] ?? 0);
    parts[at] = part;
    sum += part;
  }
  return sum;
}

function factors(difference: number, mean: number): readonly number[] {
  return BET_SHARES.map((share) => 1 + (share * (difference - mean)) / (1 + mean));
}

/** Returns the differences of a candidate's outcomes, always the same ones. */
function differencesOf(
  { baseline, difference, shared }: Assumptions,
  candidateNumber: number,
): () => number {
  const candidate = baseline + difference;
  const apart = 1 - shared;
  const win = shared * difference + apart * candidate * (1 - baseline);
  const loss = apart * baseline * (1 - candidate);
  let state = Math.imul(candidateNumber, 0x9e3779b9);
  return () => {
    // The finalizer of MurmurHash3 over a counter; all of it is exact in integers.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    const drawn = ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
    if (drawn < win) return 1;
    return drawn < win + loss ? -1 : 0;
  };
}
