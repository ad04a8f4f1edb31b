/**
 * Participants of every transaction: each may see what bodies write, add writes of its own at the
 * end of a body, and be told about the end of the transaction. Reads go directly to the store.
 */
import { settledResult } from './overlay.js';
import type { SnapshotTx, Transactions, WriteTx } from './store.js';

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

/** The result of a body with the settled results of its participants. */
interface SettledRun<T> {
  readonly result: T;
  readonly settled: readonly unknown[];
}

/**
 * Returns the transactions of a store with participants. They settle in the order of the list, and
 * views nest in the same order, the first outermost. So the writes of the body and of the earlier
 * participants pass through the view of each one, and those of the later ones do not.
 */
export function withParticipants(
  store: Transactions,
  participants: readonly Participant[],
): Transactions {
  const seen = readings(participants);
  return {
    isShared: store.isShared,
    read: (body) => store.read((tx) => body(seen(tx))),
    ...(store.suppose && { suppose: (body) => store.suppose?.(body) }),
    transact: async <T>(body: (tx: WriteTx) => T): Promise<T> => {
      const begun = participants.map((each) => each.begin?.());
      let ran: SettledRun<T>;
      try {
        ran = await store.transact((tx) => runAmong(participants, begun, tx, body));
      } catch (error) {
        for (const [at, each] of participants.entries()) each.failed?.(begun[at]);
        throw error;
      }
      for (const [at, each] of participants.entries()) each.committed?.(ran.settled[at], begun[at]);
      return ran.result;
    },
  };
}

/** Returns the function that makes the transaction of bodies of reads. */
function readings(participants: readonly Participant[]): (tx: SnapshotTx) => SnapshotTx {
  return participants.reduceRight<(tx: SnapshotTx) => SnapshotTx>(
    (below, each) => (each.reading === undefined ? below : (tx) => each.reading?.(below(tx)) ?? tx),
    (tx) => tx,
  );
}

/** Runs a body on the views of its participants, then settles them. */
function runAmong<T>(
  participants: readonly Participant[],
  begun: readonly unknown[],
  tx: WriteTx,
  body: (tx: WriteTx) => T,
): SettledRun<T> {
  const views = [tx];
  for (const each of participants.toReversed()) {
    const below = views[0] ?? tx;
    views.unshift(each.view?.(below) ?? below);
  }
  const first = tx.notes.length;
  const result = settledResult(body(views[0] ?? tx));
  const settled = participants.map((each, at) => {
    const view = views[at] ?? tx;
    const notes = first === 0 ? tx.notes : tx.notes.slice(first);
    return each.settle?.({ tx: views[at + 1] ?? tx, view, notes }, begun[at]);
  });
  return { result, settled };
}
