/**
 * The in-memory store: the reference implementation for the conformance suite, and a fast store for
 * tests. It is as strict as the port allows: each call overwrites borrowed bytes.
 */
import { setImmediate } from 'node:timers/promises';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { keyBytes, keyText, ownBytes } from '../store/bytes.js';
import { Overlay, runReadBody, runWriteBody, type WriteTarget } from '../store/overlay.js';
import { Positions } from '../store/position.js';
import type {
  CommitCounts,
  CommitObserver,
  Entry,
  HeldState,
  KeyRange,
  SnapshotTx,
  Store,
  StoreStats,
  WriteTx,
} from '../store/store.js';
import { OrderedKeys } from './ordered-keys.js';

/** Entries that a scan visits before it yields to other work. */
const SCAN_SLICE = 256;

/**
 * Creates an empty store that keeps its data in memory only. Transactions run at once, one after
 * the other. There are no files, so `backup` rejects with a plain `Error`.
 *
 * @example
 * ```ts
 * import { inMemoryStore } from '@agentkeep/core';
 *
 * const store = inMemoryStore();
 * const key = new TextEncoder().encode('greeting');
 * await store.transact((tx) => {
 *   tx.put(key, new TextEncoder().encode('hello'));
 * });
 * const text = await store.read((tx) => new TextDecoder().decode(tx.get(key)));
 * if (text !== 'hello') throw new Error('unexpected');
 * await store.close();
 * ```
 */
export function inMemoryStore(): Store {
  return new InMemoryStore(new OrderedEntries(), false);
}

/** In-memory data that several keeps open at once, as several servers share one store. */
export interface SharedMemory {
  /** Opens another store on the data. Closing it affects neither the data nor the other stores. */
  open(): Store;
}

/**
 * Creates empty in-memory data that can be opened more than once, for tests of how several servers
 * affect one another.
 */
export function sharedMemory(): SharedMemory {
  const entries = new OrderedEntries();
  return { open: () => new InMemoryStore(entries, true) };
}

class InMemoryStore implements Store {
  readonly isShared: boolean;
  readonly observe?: (observer: CommitObserver) => void;
  readonly #entries: OrderedEntries;
  readonly #observers: CommitObserver[] = [];
  #isClosed = false;
  #running = 0;
  #commits = 0;

  constructor(entries: OrderedEntries, isShared: boolean) {
    this.#entries = entries;
    this.isShared = isShared;
    if (isShared) return;
    this.observe = (observer) => {
      this.#observers.push(observer);
    };
  }

  async read<T>(body: (tx: SnapshotTx) => T): Promise<T> {
    return this.#run(() => runReadBody(this.#entries, body));
  }

  async transact<T>(body: (tx: WriteTx) => T): Promise<T> {
    return this.#run(() => this.#counted(() => this.#write(body)));
  }

  async backup(): Promise<void> {
    return this.#run(() => {
      throw new Error('An in-memory store has no files to copy. Use a store on disk for backups.');
    });
  }

  async stats(): Promise<StoreStats> {
    return this.#run(() => {
      const { count, sizeBytes } = this.#entries;
      return { entries: count, sizeBytes, mapSizeBytes: sizeBytes };
    });
  }

  async hold(): Promise<HeldState> {
    const copy = await this.#run(() => this.#entries.copied());
    let isHeld = true;
    return {
      entries: (range) =>
        this.#run(() => {
          if (!isHeld) throw new AgentkeepError('store_closed');
          return Array.from(copy.range(range), ({ key, value }) => ({
            key,
            value: Uint8Array.from(value),
          }));
        }),
      close: () => {
        isHeld = false;
        return Promise.resolve();
      },
    };
  }

  waiting(): Promise<number> {
    return Promise.resolve(this.#running);
  }

  commits(): CommitCounts {
    return { commits: this.#commits, bodies: this.#commits, failures: 0 };
  }

  async scan(visit: (entry: Entry) => void): Promise<void> {
    let after: string | undefined;
    do {
      if (after !== undefined) await setImmediate();
      after = await this.#run(() => this.#entries.visitSlice(after, visit));
    } while (after !== undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  #write<T>(body: (tx: WriteTx) => T): T {
    const overlay = new Overlay(this.#entries, ownBytes);
    const result = runWriteBody(overlay, body);
    if (overlay.appended.length > 0) overlay.assignPositions(this.#entries.positions.begin());
    overlay.applyTo(this.#entries);
    this.#commits += 1;
    this.#entries.positions.settle(this.#entries.positions.begun);
    for (const observer of this.#observers) observer.committed(overlay.writes());
    return result;
  }

  #counted<T>(work: () => T): T {
    this.#running += 1;
    try {
      return work();
    } finally {
      this.#running -= 1;
    }
  }

  #run<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (this.#isClosed) throw new AgentkeepError('store_closed');
      resolve(work());
    });
  }
}

/** An ordered map of byte keys that lends values through one scratch buffer. */
class OrderedEntries implements SnapshotTx, WriteTarget {
  /** All stores on the data take positions from here, in the order of their commits. */
  readonly positions = new Positions(Date.now());
  readonly #values = new Map<string, Uint8Array>();
  readonly #ascending = new OrderedKeys();
  #lent: Uint8Array = new Uint8Array();
  sizeBytes = 0;

  get count(): number {
    return this.#ascending.count;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#lend(this.#values.get(keyText(key)));
  }

  *range({ from, to, limit = Infinity, reverse = false }: KeyRange): Generator<Entry> {
    const [first, end] = [keyText(from), keyText(to)];
    const keys = reverse ? this.#ascending.before(end) : this.#ascending.from(first);
    let left = limit;
    for (const text of keys) {
      if (left <= 0 || (reverse ? text < first : text >= end)) return;
      left -= 1;
      yield this.#entryOf(text);
    }
  }

  horizon(): Uint8Array {
    return this.positions.horizon;
  }

  /** Keeps a value, which the overlay copied. */
  put(text: string, value: Uint8Array): void {
    const before = this.#values.get(text);
    if (before === undefined) {
      this.#ascending.add(text);
      this.sizeBytes += text.length;
    }
    this.#values.set(text, value);
    this.sizeBytes += value.length - (before?.length ?? 0);
  }

  remove(text: string): void {
    const value = this.#values.get(text);
    if (value === undefined) return;
    this.#ascending.remove(text);
    this.#values.delete(text);
    this.sizeBytes -= text.length + value.length;
  }

  /** Returns the current entries as a map of their own. Values are replaced, never changed. */
  copied(): OrderedEntries {
    const copy = new OrderedEntries();
    for (const text of this.#ascending.from('')) {
      copy.#ascending.add(text);
      copy.#values.set(text, this.#values.get(text) ?? new Uint8Array());
    }
    return copy;
  }

  /** Visits one slice after a key. Returns the last key visited, or `undefined` at the end. */
  visitSlice(after: string | undefined, visit: (entry: Entry) => void): string | undefined {
    // The next greater text is this one with a zero byte appended.
    let visited = 0;
    let last: string | undefined;
    for (const text of this.#ascending.from(after === undefined ? '' : `${after}\0`)) {
      if (visited === SCAN_SLICE) return last;
      visit(this.#entryOf(text));
      visited += 1;
      last = text;
    }
    return undefined;
  }

  #entryOf(text: string): Entry {
    const value = this.#lend(this.#values.get(text)) ?? new Uint8Array();
    return { key: Uint8Array.from(keyBytes(text)), value };
  }

  /** Returns a copy that the next loan overwrites, so that tests detect values kept too long. */
  #lend(value: Uint8Array | undefined): Uint8Array | undefined {
    this.#lent.fill(0xa5);
    if (value === undefined) return undefined;
    this.#lent = ownBytes(value);
    return this.#lent;
  }
}
