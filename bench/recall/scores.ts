/** How much of what answers questions was found, with intervals. */
import type { Passage } from './contender.js';
import type { Question } from './locomo.js';

/** Passages that count as found. */
const FIRST = 10;

/** Bytes of text in the second measure. */
export const BUDGET_BYTES = 2_000;

/** Samples of the bootstrap. */
const RESAMPLES = 1_000;

/** What one question scored, from 0 to 1. */
export interface Score {
  readonly category: string;
  readonly isDisputed: boolean;
  /** The share of its turns that the first ten passages were found by. */
  readonly recallAtTen: number;
  /** 1 if the text that fits the budget has all of its turns, 0 otherwise. */
  readonly isAnsweredInBudget: number;
}

/** A mean with the bounds of its 95 % interval, in percent. */
export interface Estimate {
  readonly percent: number;
  readonly from: number;
  readonly to: number;
}

/** Scores the passages that were found for a question. */
export function scoreOf(question: Question, passages: readonly Passage[]): Score {
  const first = new Set(passages.slice(0, FIRST).map(({ turns }) => turns[0]));
  const within = new Set(withinBudget(passages).flatMap(({ turns }) => turns));
  const { category, isDisputed, turns } = question;
  return {
    category,
    isDisputed,
    recallAtTen: turns.filter((turn) => first.has(turn)).length / turns.length,
    isAnsweredInBudget: Number(turns.every((turn) => within.has(turn))),
  };
}

/** Returns the first passages whose text fits the budget. */
function withinBudget(passages: readonly Passage[]): readonly Passage[] {
  let left = BUDGET_BYTES;
  const end = passages.findIndex(({ text }) => (left -= Buffer.byteLength(text)) < 0);
  return end === -1 ? passages : passages.slice(0, end);
}

/** Returns the mean of some values, with the interval that a bootstrap by question gives. */
export function estimateOf(values: readonly number[]): Estimate {
  const random = seededRandom();
  const means = Array.from({ length: RESAMPLES }, () => {
    const drawn = values.map(() => values[Math.floor(random() * values.length)] ?? 0);
    return meanOf(drawn);
  }).sort((one, other) => one - other);
  const at = (share: number) => 100 * (means[Math.floor(share * RESAMPLES)] ?? 0);
  return { percent: 100 * meanOf(values), from: at(0.025), to: at(0.975) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Numbers from 0 to 1, the same ones each time: a linear congruential generator. */
function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
