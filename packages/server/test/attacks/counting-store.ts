/** An in-memory store that counts reads, to compare the work of two calls without a clock. */
import { inMemoryStore, type ReadTx, type Store, type WriteTx } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';

/** Numbers of transactions and of values read. */
export interface Work {
  reads: number;
  writes: number;
  gets: number;
  ranges: number;
}

/** A store with its counters. */
export interface CountingStore {
  readonly store: Store;
  /** Returns the work since the last call. */
  readonly taken: () => Work;
}

/** Opens an in-memory store that counts. */
export function countingStore(): CountingStore {
  const inner = inMemoryStore();
  let work = none();
  const counted = <T extends ReadTx>(tx: T): T =>
    new Proxy(tx, {
      get: (target, name) => {
        if (name === 'get') work.gets += 1;
        if (name === 'range') work.ranges += 1;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  const store = storeOver(inner, {
    read: (body) => {
      work.reads += 1;
      return inner.read((tx) => body(counted(tx)));
    },
    transact: (body) => {
      work.writes += 1;
      return inner.transact((tx: WriteTx) => body(counted(tx)));
    },
  });
  return {
    store,
    taken: () => {
      const done = work;
      work = none();
      return done;
    },
  };
}

function none(): Work {
  return { reads: 0, writes: 0, gets: 0, ranges: 0 };
}
