/** Reads that remember decoded values of committed state, over a store that offers `observe`. */
import { CommittedValues } from './committed-values.js';
import type { Participant } from './participant.js';
import type { Entry, KeyRange, ReadTx, SnapshotTx, Store, WriteTx } from './store.js';

/** A read transaction on committed state, with the remembered values of that state. */
class CommittedReadTx implements SnapshotTx {
  readonly values: CommittedValues;
  readonly #tx: SnapshotTx;

  constructor(tx: SnapshotTx, values: CommittedValues) {
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

  /** Returns the horizon of the state. */
  horizon(): Uint8Array {
    return this.#tx.horizon();
  }
}

/** A transaction that finds remembered values until it writes. */
class CommittedWriteTx implements WriteTx {
  readonly #tx: WriteTx;
  readonly #values: CommittedValues;
  #hasWritten = false;

  constructor(tx: WriteTx, values: CommittedValues) {
    this.#tx = tx;
    this.#values = values;
  }

  /** The remembered values of the state that it reads; `undefined` once it has written. */
  get values(): CommittedValues | undefined {
    return this.#hasWritten ? undefined : this.#values;
  }

  /** Returns the key under which an entry is stored. */
  storedKey(key: Uint8Array): Uint8Array {
    return this.#tx.storedKey?.(key) ?? key;
  }

  /** The notes of the transaction. */
  get notes(): object[] {
    return this.#tx.notes;
  }

  /** Returns the stored bytes, which are never remembered. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#tx.get(key);
  }

  /** Returns the stored entries of a span. */
  range(range: KeyRange): Iterable<Entry> {
    return this.#tx.range(range);
  }

  /** Stores a value. */
  put(key: Uint8Array, value: Uint8Array): void {
    this.#hasWritten = true;
    this.#tx.put(key, value);
  }

  /** Removes a key. */
  remove(key: Uint8Array): void {
    this.#hasWritten = true;
    this.#tx.remove(key);
  }

  /** Appends an entry, which no body reads. */
  append(prefix: Uint8Array, value: Uint8Array): void {
    this.#tx.append(prefix, value);
  }
}

/**
 * Returns the remembered values of the state that a transaction reads, for reads and for
 * transactions that have not written yet. Only {@link valuesBehind} may be used to remember values:
 * a transaction that writes may read state that is never committed.
 */
export function knownBehind(tx: ReadTx): Pick<CommittedValues, 'find'> | undefined {
  if (tx instanceof CommittedReadTx) return tx.values;
  return tx instanceof CommittedWriteTx ? tx.values : undefined;
}

/**
 * Returns the remembered values of the state that a transaction reads; `undefined` if it reads
 * other state too, as a transaction that writes does.
 */
export function valuesBehind(tx: ReadTx): CommittedValues | undefined {
  return tx instanceof CommittedReadTx ? tx.values : undefined;
}

/**
 * Returns the participant that lets reads remember values and writes find them. A store without
 * `observe` may change unseen, so none of its values are remembered.
 */
export function committedReads(store: Pick<Store, 'observe'>): Participant {
  if (store.observe === undefined) return {};
  const values = new CommittedValues();
  store.observe(values);
  return {
    view: (tx) => new CommittedWriteTx(tx, values),
    reading: (tx) => new CommittedReadTx(tx, values),
  };
}
