/** Reads that remember decoded values of committed state, over a store that offers `observe`. */
import { CommittedValues } from './committed-values.js';
import { type WrapBody, wrappedReadNow } from './read-at-once.js';
import type { Entry, KeyRange, ReadTx, Store, Transactions } from './store.js';

/** A read transaction on committed state, with what is remembered of that state. */
class CommittedReadTx implements ReadTx {
  readonly values: CommittedValues;
  readonly #tx: ReadTx;

  constructor(tx: ReadTx, values: CommittedValues) {
    this.#tx = tx;
    this.values = values;
  }

  /** Returns the stored bytes, which are never remembered. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#tx.get(key);
  }

  /** Returns the stored entries of a span. */
  range(range: KeyRange): Iterable<Entry> {
    return this.#tx.range(range);
  }
}

/**
 * Returns what is remembered of the state that a transaction reads; `undefined` where it reads
 * something else too, as a transaction that writes does.
 */
export function valuesBehind(tx: ReadTx): CommittedValues | undefined {
  return tx instanceof CommittedReadTx ? tx.values : undefined;
}

/**
 * Returns the same transactions, with reads that remember. `source` is the store at the bottom of
 * them. One without `observe` may change unseen, so nothing is remembered of it.
 */
export function committedReads(
  transactions: Transactions,
  source: Pick<Store, 'observe' | 'readNow'>,
): Transactions {
  if (source.observe === undefined) return transactions;
  const values = new CommittedValues();
  source.observe(values);
  const remembering: WrapBody = (body) => (tx) => body(new CommittedReadTx(tx, values));
  return {
    isShared: transactions.isShared,
    read: (body) => transactions.read(remembering(body)),
    transact: (body) => transactions.transact(body),
    // What is between a store and its keep passes reads on, so the store itself is read.
    ...wrappedReadNow(source, remembering),
  };
}
