/**
 * The stores that a history runs on.
 */
import { inMemoryStore, type KeepOptions, type Store } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Data that one keep after the other opens. */
export interface KeepStorage extends AsyncDisposable {
  readonly isOnDisk: boolean;
  /** Options of a keep over the data. */
  options(): KeepOptions;
  /** Cuts the open keep off its data, as the end of its process would, if the place can do so. */
  cut(): boolean;
}

/** A history runs on a store, which is an empty one in memory unless given, or on disk. */
export function inStore(store: Store = inMemoryStore()): KeepStorage {
  let current = { isCut: false };
  return {
    isOnDisk: false,
    options: () => {
      const mine = { isCut: false };
      current = mine;
      const bound = <T>(work: () => Promise<T>): Promise<T> =>
        mine.isCut ? Promise.reject(new Error('The process has ended.')) : work();
      return {
        store: storeOver(store, {
          read: (body) => bound(() => store.read(body)),
          transact: (body) => bound(() => store.transact(body)),
          close: () => Promise.resolve(),
        }),
      };
    },
    cut: () => (current.isCut = true),
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** Makes a directory for a history. A process can't open it twice, so only closing frees it. */
export async function onDisk(): Promise<KeepStorage> {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-model-'));
  return {
    isOnDisk: true,
    options: () => ({ dataDir: join(home, 'data'), reserveBytes: 0, durability: 'relaxed' }),
    cut: () => false,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}
