/** An in-memory store that counts reads, to compare the work of two calls without a clock. */
import {
  type Entry,
  inMemoryStore,
  type KeyRange,
  type SnapshotTx,
  type Store,
  type WriteTx,
} from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';

/** Numbers of transactions and of values read. */
export interface Work {
  reads: number;
  writes: number;
  gets: number;
  ranges: number;
  /** Most entries that one body touched which only reads. */
  largestRead: number;
  /** Most entries that one body read, walked over or wrote which may write. */
  largestWrite: number;
}

/** A store with its counters. */
export interface CountingStore {
  readonly store: Store;
  /** The same data, for the test's own look at it, which is not counted. */
  readonly uncounted: Store;
  /** Returns the work since the last call. */
  readonly taken: () => Work;
}

/** Counts what is read from a store, one in memory by default. */
export function countingStore(inner: Store = inMemoryStore()): CountingStore {
  let work = none();
  const counted = <T>(
    tx: WriteTx | SnapshotTx,
    largest: 'largestRead' | 'largestWrite',
    body: (tx: WriteTx & SnapshotTx) => T,
  ): T => {
    const counter = new CountedBody(tx as WriteTx & SnapshotTx, work);
    try {
      return body(counter);
    } finally {
      work[largest] = Math.max(work[largest], counter.entries);
    }
  };
  const store = storeOver(inner, {
    read: (body) => {
      work.reads += 1;
      return inner.read((tx) => counted(tx, 'largestRead', body));
    },
    transact: (body) => {
      work.writes += 1;
      return inner.transact((tx) => counted(tx, 'largestWrite', body));
    },
  });
  return {
    store,
    uncounted: inner,
    taken: () => {
      const done = work;
      work = none();
      return done;
    },
  };
}

/** The view of one body, which counts what it touches. */
class CountedBody implements WriteTx, SnapshotTx {
  entries = 0;
  readonly #tx: WriteTx & SnapshotTx;
  readonly #work: Work;

  constructor(tx: WriteTx & SnapshotTx, work: Work) {
    this.#tx = tx;
    this.#work = work;
  }

  get notes(): object[] {
    return this.#tx.notes;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.#work.gets += 1;
    this.entries += 1;
    return this.#tx.get(key);
  }

  *range(range: KeyRange): Iterable<Entry> {
    this.#work.ranges += 1;
    this.entries += 1;
    for (const entry of this.#tx.range(range)) {
      this.entries += 1;
      yield entry;
    }
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.entries += 1;
    this.#tx.put(key, value);
  }

  remove(key: Uint8Array): void {
    this.entries += 1;
    this.#tx.remove(key);
  }

  append(prefix: Uint8Array, value: Uint8Array): void {
    this.entries += 1;
    this.#tx.append(prefix, value);
  }

  horizon(): Uint8Array {
    return this.#tx.horizon();
  }
}

function none(): Work {
  return { reads: 0, writes: 0, gets: 0, ranges: 0, largestRead: 0, largestWrite: 0 };
}
