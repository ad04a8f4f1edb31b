/**
 * The interface of a kind of work: a sequence of steps, each acknowledged or not, and a check that
 * compares a keep with them.
 */
import type { Parties } from './parties.js';

/** An acknowledged step. Both members are JSON, so that another process can check them. */
export interface Task<S = unknown, R = unknown> {
  readonly step: S;
  readonly result: R;
}

/**
 * The record of one worker: its acknowledged steps, and a step that may have been sent after them.
 */
export interface Account<S = unknown, R = unknown> {
  readonly done: readonly Task<S, R>[];
  readonly next?: S | undefined;
}

/** Generates and sends steps. Each step depends on earlier results. */
export interface Work<S = unknown, R = unknown> {
  next(): S;
  send(parties: Parties, step: S): Promise<R>;
  /** Records the result of a step. */
  note(deed: Task<S, R>): void;
}

/**
 * Compares a keep with the accounts of all workers of one kind. Acknowledged steps must be stored,
 * and the next step completely or not at all.
 * @throws {AssertionError} if a promise did not hold.
 */
export type Check<S = unknown, R = unknown> = (
  parties: Parties,
  accounts: readonly Account<S, R>[],
) => Promise<void>;
