/**
 * Compares two ways of doing the same work by alternating rounds, so that a slower machine slows
 * both.
 */

/** Runs a fixed amount of work. */
export interface Contender {
  /** Operations per round. */
  readonly operations: number;
  /** Does one round; rounds are numbered from 0, warm-up rounds first. */
  round(index: number): Promise<void>;
}

/** The result of a comparison. */
export interface Comparison {
  readonly name: string;
  /** Median of the rates of Agentkeep over those of the raw part, round by round. */
  readonly ratio: number;
  readonly perSecond: number;
  readonly rawPerSecond: number;
  /** The opponent, if it is not a raw part. */
  readonly against?: string;
  /** The target for the ratio. */
  readonly target: number;
}

/** A result without a raw part to compare with. */
export interface Reading {
  readonly name: string;
  /** Figures by name; names end in the unit. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Measured rounds, and warm-up rounds before them. */
export const ROUNDS = 7;
export const WARM_UP_ROUNDS = 2;

/** How often short work is repeated, first to warm up, then to be measured. */
export const REPEATS = 200;
/** Milliseconds after which longer work is repeated no more, once it has had its rounds. */
const REPEATS_MS = 1_000;

/** What one repetition took. */
export interface Took {
  readonly wallMs: number;
  /** Processor time of the process, with that of its other threads. */
  readonly cpuMs: number;
}

/** Measures Agentkeep against the raw part below it. */
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

export function median(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other);
  return ascending[Math.floor(ascending.length / 2)] ?? Number.NaN;
}

/** Returns the medians of what work takes once it is warm; short work is repeated most often. */
export async function mediansOf(work: () => unknown, repeats = REPEATS): Promise<Took> {
  await repeated(work, repeats, WARM_UP_ROUNDS);
  const took = await repeated(work, repeats, ROUNDS);
  return {
    wallMs: median(took.map(({ wallMs }) => wallMs)),
    cpuMs: median(took.map(({ cpuMs }) => cpuMs)),
  };
}

async function repeated(work: () => unknown, most: number, least: number): Promise<Took[]> {
  const took: Took[] = [];
  const endMs = performance.now() + REPEATS_MS;
  while (took.length < most && (took.length < least || performance.now() < endMs)) {
    const [before, startedMs] = [process.cpuUsage(), performance.now()];
    await work();
    const wallMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(before);
    took.push({ wallMs, cpuMs: (user + system) / 1_000 });
  }
  return took;
}

/** Runs `total` tasks with a fixed number in flight. */
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
