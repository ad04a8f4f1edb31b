/**
 * What a proof is: a promise that is put to the test as often as its budget allows, and what came
 * of it.
 * @module
 */

/** How much is done: `short` for every change of the code, `full` for the record. */
export type Scale = 'short' | 'full';

/** What a proof runs with. */
export interface ProofRun {
  readonly scale: Scale;
  /** Chooses everything random; the same seed chooses the same again. */
  readonly seed: number;
  /** Tells where the proof stands; a terminal shows the latest text only. */
  report(text: string): void;
}

/** What a proof did, and what it found. */
export interface Finding {
  /** What was done, by what it is: `{ 'crash points': 300 }`. */
  readonly done: Readonly<Record<string, number>>;
  /** One sentence for each promise that did not hold; empty when all of them did. */
  readonly violations: readonly string[];
}

/** A promise and the way to put it to the test. */
export interface Proof {
  /** A few words, the row of the table. */
  readonly name: string;
  /** The promise, in one sentence. */
  readonly claim: string;
  /** Whether it judges durations or memory; then `npm run test:proof` runs it, and no test does. */
  readonly measures?: true;
  /**
   * Puts it to the test. A broken promise is a violation of the finding and no error.
   * @throws {CannotRunHereError} when this machine lacks something that the proof needs.
   */
  run(run: ProofRun): Promise<Finding>;
}

/** What this machine lacks, and how to get it. */
export class CannotRunHereError extends Error {
  override readonly name = 'CannotRunHereError';
}
