/**
 * What takes part in every transaction: it may see what bodies write, add writes of its own at the
 * end of a body, and hear of the end of the transaction.
 */
import type { SnapshotTx, WriteTx } from './store.js';

/** One run of a body that has returned. */
export interface EndedRun<V extends WriteTx = WriteTx> {
  /** The transaction below the view of the participant. What is written to it, it doesn't see. */
  readonly tx: WriteTx;
  /** What {@link Participant.view} returned for this run; without a view, `tx`. */
  readonly view: V;
  /** The notes of the body, and of the participants that settled before. */
  readonly notes: readonly object[];
}

/**
 * Takes part in every transaction. `B` is what it keeps for one transaction, `V` its view and `S`
 * what it settled. `view` and `settle` run for each run of a body and follow the rules of bodies;
 * the others run once for each transaction, outside of it, and must not throw.
 */
export interface Participant<B = unknown, V extends WriteTx = WriteTx, S = unknown> {
  /** Begins a transaction. */
  begin?(): B;
  /** Returns what the body, and the participants before this one, use as the transaction. */
  view?(tx: WriteTx): V;
  /** Adds its own writes to those of a body that has returned; what it throws fails the body. */
  settle?(run: EndedRun<V>, begun: B): S;
  /** Ends a transaction that is committed, with what was settled in the run that counts. */
  committed?(settled: S, begun: B): void;
  /** Ends a transaction that failed. */
  failed?(begun: B): void;
  /** Returns what bodies of reads use as the transaction. */
  reading?(tx: SnapshotTx): SnapshotTx;
}
