/** Opens the store of a data directory, to examine or use it. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import { storeError } from '../store/store-error.js';
import type { Store } from '../store/store.js';
import { copyServedStore } from './copy-served-store.js';
import { assertLocalFileSystem, freeBytes } from './directory.js';
import { codeOf, fileFailure } from './failure.js';
import { manifestOfFound } from './found-store.js';
import { RESERVE_BYTES } from './group-commit.js';
import type { Durability } from './manifest.js';
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
    const isServed = hasCode(error, 'store_in_use');
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

/** A data directory that holds a store. */
interface ExaminedDirectory {
  /** What its acknowledged commits survive. */
  readonly durability: Durability;
  /** Free bytes of the file system that this process may use. */
  readonly freeBytes: number;
  /** Writes are refused with `store_full` when fewer bytes are free. */
  readonly reserveBytes: number;
}

/**
 * Examines a directory, which another process may serve. Opens, locks and changes nothing.
 * @throws {AgentkeepError} `store_incompatible` if there is no store that this version can open, or
 * it is on a network file system; `store_unavailable` if the directory cannot be read.
 */
export async function examineDirectory(directory: string): Promise<ExaminedDirectory> {
  try {
    const real = await realpath(directory);
    await assertLocalFileSystem(real);
    const { durability } = await manifestOfFound(real);
    return { durability, freeBytes: freeBytes(real), reserveBytes: RESERVE_BYTES };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw fileFailure(error);
    throw storeError('store_incompatible', `The directory ${directory} does not exist.`, error);
  }
}
