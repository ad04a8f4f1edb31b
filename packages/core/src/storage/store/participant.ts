/**
 * Participants of every transaction: each may see what bodies write, add writes of its own at the
 * end of a body, and be told about the end of the transaction.
 */
import type { SnapshotTx, WriteTx } from './store.js';

/** One run of a body that has returned. */
export interface EndedRun<V extends WriteTx = WriteTx> {
  /**
   * The transaction below the view of the participant. The view doesn't see what is written to it.
   */
  readonly tx: WriteTx;
  /** The result of {@link Participant.view} for this run; without a view, `tx`. */
  readonly view: V;
  /** The notes of the body, and of the participants that settled before. */
  readonly notes: readonly object[];
}

/**
 * Takes part in every transaction. `B` is its state of one transaction, `V` its view and `S` its
 * settled result. `view` and `settle` run for each run of a body and follow the rules of bodies;
 * the others run once for each transaction, outside of it, and must not throw.
 */
export interface Participant<B = unknown, V extends WriteTx = WriteTx, S = unknown> {
  /** Begins a transaction. */
  begin?(): B;
  /** Returns the transaction that the body, and the participants before this one, use. */
  view?(tx: WriteTx): V;
  /**
   * Adds its own writes to those of a body that has returned; an error that it throws fails the
   * body.
   */
  settle?(run: EndedRun<V>, begun: B): S;
  /** Ends a transaction that is committed, with the settled result of the run that counts. */
  committed?(settled: S, begun: B): void;
  /** Ends a transaction that failed. */
  failed?(begun: B): void;
  /** Returns the transaction that bodies of reads use. */
  reading?(tx: SnapshotTx): SnapshotTx;
}

class Growth {
  readonly addsData = true;
}

const growth = new Growth();

/**
 * Notes that the transaction adds data. A store that is nearly full refuses such bodies, and goes
 * on with those that take data away or replace it.
 */
export function noteGrowth(tx: WriteTx): void {
  tx.notes.push(growth);
}

/** Returns whether a body with these notes adds data. */
export function hasGrowth(notes: readonly object[]): boolean {
  return notes.some((note) => note instanceof Growth);
}
