/** Reads the store of a directory, whether or not another process has it open. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Store } from '../store/store.js';
import { copyServedStore } from './copy-served-store.js';
import { manifestOfFound } from './found-store.js';
import { openLmdbStore } from './open-lmdb-store.js';

/**
 * Calls a reader with the store of a directory. If another process has the store open, the reader
 * gets a temporary copy as of the last commit. Creates nothing if there is no store.
 *
 * @throws {AgentkeepError} as `openLmdbStore` and `copyServedStore` do.
 */
export async function withFoundStore<T>(
  directory: string,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const { durability } = await manifestOfFound(directory);
  try {
    return await lend(await openLmdbStore({ directory, durability }), read);
  } catch (error) {
    const isServed = error instanceof AgentkeepError && error.code === 'store_in_use';
    if (!isServed) throw error;
  }
  const copy = await mkdtemp(join(tmpdir(), 'agentkeep-copy-'));
  try {
    await copyServedStore(directory, copy);
    return await lend(await openLmdbStore({ directory: copy, durability }), read);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function lend<T>(store: Store, read: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
