/**
 * Compares two ways of doing the same work in one run, turn by turn, so that a machine that slows
 * down slows both.
 * @module
 */

/** Runs a fixed amount of work. */
export interface Contender {
  /** How many operations one round does. */
  readonly operations: number;
  /** Does one round; rounds are numbered from 0, warm-up rounds first. */
  round(index: number): Promise<void>;
}

/** What a comparison came to. */
export interface Comparison {
  readonly name: string;
  /** Median of the rates of Agentkeep over those of the raw part, round by round. */
  readonly ratio: number;
  readonly perSecond: number;
  readonly rawPerSecond: number;
  /** What it is compared with, where that is no raw part. */
  readonly against?: string;
  /** The target for the ratio. */
  readonly target: number;
}

/** What stands for itself, because no raw part does the same work. */
export interface Reading {
  readonly name: string;
  /** Numbers by what they are, with the unit at the end of the name. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Rounds that count, and rounds before them that do not. */
export const ROUNDS = 7;
export const WARM_UP_ROUNDS = 2;

/** Measures Agentkeep against the raw part that it stands on. */
export async function compare(
  name: string,
  target: number,
  agentkeep: Contender,
  raw: Contender,
): Promise<Comparison> {
  const rates: { ours: number; raw: number }[] = [];
  for (let index = 0; index < WARM_UP_ROUNDS + ROUNDS; index++) {
    const pair = { ours: await rateOf(agentkeep, index), raw: await rateOf(raw, index) };
    if (index >= WARM_UP_ROUNDS) rates.push(pair);
  }
  return {
    name,
    target,
    ratio: median(rates.map((pair) => pair.ours / pair.raw)),
    perSecond: median(rates.map((pair) => pair.ours)),
    rawPerSecond: median(rates.map((pair) => pair.raw)),
  };
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other);
  return ascending[Math.floor(ascending.length / 2)] ?? Number.NaN;
}

/** Does `total` pieces of work with a fixed number in flight. */
export async function inFlight(
  callers: number,
  total: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < total) await work(next++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

async function rateOf(contender: Contender, index: number): Promise<number> {
  const startedMs = performance.now();
  await contender.round(index);
  return (contender.operations / (performance.now() - startedMs)) * 1_000;
}
