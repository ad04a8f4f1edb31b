/**
 * The interface of a proof: a test of one promise, as often as its budget allows, with its outcome.
 */

/** Amount of work: `short` for every change of the code, `full` for the record. */
export type Scale = 'short' | 'full';

/** Parameters of a run. */
export interface ProofRun {
  readonly scale: Scale;
  /** Seed of all random choices. */
  readonly seed: number;
  /** Reports progress; a terminal shows only the latest text. */
  report(text: string): void;
}

/** Outcome of a run. */
export interface Finding {
  /** Amount of work done, for example `{ 'crash points': 300 }`. */
  readonly done: Readonly<Record<string, number>>;
  /** One sentence for each broken promise; empty if all held. */
  readonly violations: readonly string[];
}

/** A promise with its test. */
export interface ProofProgram {
  /** A few words that name its row in the table. */
  readonly name: string;
  /** The promise, in one sentence. */
  readonly claim: string;
  /** Whether it judges durations or memory; then `npm run test:proof` runs it, and no test does. */
  readonly measures?: true;
  /**
   * Tests the promise. A broken promise is a violation in the finding, not an error.
   * @throws {CannotRunHereError} if this machine lacks something that the proof needs.
   */
  run(run: ProofRun): Promise<Finding>;
}

/** This machine lacks something; the message says what, and how to get it. */
export class CannotRunHereError extends Error {
  override readonly name = 'CannotRunHereError';
}
