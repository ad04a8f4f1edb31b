/** Work that waits only if it has to: a result that is already available, or else a promise. */
import type { Settled, SnapshotTx, Transactions } from './store.js';

export type { Settled } from './store.js';

/** Runs `next` with a result: synchronously if it is already available. */
export function whenSettled<T, R>(result: Settled<T>, next: (value: T) => Settled<R>): Settled<R> {
  return result instanceof Promise ? result.then(next) : next(result);
}

/** Runs a body as `store.read` does; synchronously if the store never waits for a read. */
export function readAtOnce<T>(
  store: Pick<Transactions, 'read' | 'readNow'>,
  body: (tx: SnapshotTx) => T,
): Settled<T> {
  return store.readNow === undefined ? store.read(body) : store.readNow(body);
}

/** Changes the body of a read. */
export type WrapBody = <T>(body: (tx: SnapshotTx) => T) => (tx: SnapshotTx) => T;

/** Returns `readNow` with changed bodies, over a store that offers it. */
export function wrappedReadNow(
  store: Pick<Transactions, 'readNow'>,
  wrap: WrapBody,
): Pick<Transactions, 'readNow'> {
  if (store.readNow === undefined) return {};
  return {
    readNow: <T>(body: (tx: SnapshotTx) => T) => store.readNow?.(wrap(body)) as Settled<T>,
  };
}
