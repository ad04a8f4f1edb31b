/**
 * What a kind of work is: steps one after the other, each acknowledged or not, and a way to compare
 * a keep with them.
 * @module
 */
import type { Parties } from './parties.js';

/** A step that was acknowledged. Both members are JSON, so that another process can check them. */
export interface Deed<S = unknown, R = unknown> {
  readonly step: S;
  readonly result: R;
}

/** One worker: what was acknowledged to it, and the step that it may have sent beyond. */
export interface Account<S = unknown, R = unknown> {
  readonly done: readonly Deed<S, R>[];
  readonly next?: S | undefined;
}

/** Sends steps; each one follows from the results of those before. */
export interface Work<S = unknown, R = unknown> {
  next(): S;
  send(parties: Parties, step: S): Promise<R>;
  /** Notes what came back. */
  note(deed: Deed<S, R>): void;
}

/**
 * Compares a keep with the accounts of all workers of one kind: what was acknowledged is there, and
 * the next step wholly or not at all.
 * @throws {AssertionError} when a promise did not hold.
 */
export type Check<S = unknown, R = unknown> = (
  parties: Parties,
  accounts: readonly Account<S, R>[],
) => Promise<void>;
