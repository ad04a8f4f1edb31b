/** A store that counts its operations: work can be compared exactly, time can't. */
import type { ReadTx, Store, WriteTx } from '../../src/index.js';
import { encodeKey, INSTALLATION } from '../../src/storage/store/key.js';
import { storeOver } from '../../src/storage/store-testing/store-over.js';
import { families } from '../../src/domains.js';

/** The first call after some time writes this key for all tenants, so its cost reveals nothing. */
const { number, shape } = families.get('idFloor');
const UNCOUNTED = encodeKey(INSTALLATION, number, shape, []);

/** A store that counts single reads, entries of ranges, and writes. */
export class CountingStore {
  /** The counting store. */
  readonly store: Store;
  #count = 0;

  constructor(store: Store) {
    const read = (tx: ReadTx): ReadTx => ({
      get: (key) => {
        this.#note(key);
        return tx.get(key);
      },
      range: (range) => this.#counted(tx.range(range)),
    });
    const write = (tx: WriteTx): WriteTx => ({
      ...read(tx),
      notes: tx.notes,
      put: (key, value) => {
        this.#note(key);
        tx.put(key, value);
      },
      remove: (key) => {
        this.#note(key);
        tx.remove(key);
      },
      append: (prefix, value) => {
        this.#note(prefix);
        tx.append(prefix, value);
      },
    });
    this.store = storeOver(store, {
      read: (body) => store.read((tx) => body({ ...read(tx), horizon: () => tx.horizon() })),
      transact: (body) => store.transact((tx) => body(write(tx))),
    });
  }

  /** Returns the answer and the cost of an action. */
  async costOf<T>(act: () => Promise<T>): Promise<{ answer: T; cost: number }> {
    const before = this.#count;
    const answer = await act();
    return { answer, cost: this.#count - before };
  }

  *#counted<T>(entries: Iterable<T>): Iterable<T> {
    for (const entry of entries) {
      this.#count += 1;
      yield entry;
    }
  }

  #note(key: Uint8Array): void {
    if (Buffer.compare(key, UNCOUNTED) !== 0) this.#count += 1;
  }
}
