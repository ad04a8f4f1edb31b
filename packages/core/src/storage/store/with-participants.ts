/**
 * Transactions with participants: the work that happens in and after every transaction of a keep,
 * as entries of one ordered list. Reads go directly to the store.
 */
import type { Participant } from './participant.js';
import type { SnapshotTx, Transactions, WriteTx } from './store.js';
import { settledResult } from './transaction-view.js';

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
