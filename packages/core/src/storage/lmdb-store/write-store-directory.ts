/** Writes entries of another store into a directory, as a store on disk. */
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Entry } from '../store/store.js';
import { lockFileOf } from './data-file.js';
import { ensureDirectory, isEmpty, syncDirectory, unfinishedName } from './directory.js';
import { fileFailure } from './failure.js';
import { storeError } from '../store/store-error.js';

/**
 * Fills an empty or absent directory, durably. If it fails, the directory stays as it was.
 *
 * @throws {AgentkeepError} `store_incompatible` if the directory is not empty; `store_full`;
 * `store_unavailable` if the disk fails. Errors of `pages` are passed on.
 */
export async function writeStoreDirectory(
  directory: string,
  pages: AsyncIterable<readonly Entry[]>,
): Promise<void> {
  await ensureDirectory(directory);
  if (!(await isEmpty(directory))) {
    throw storeError('store_incompatible', `${directory} is not empty. Copy into a new directory.`);
  }
  // Renamed when complete, so that an interrupted copy is never taken for a store.
  const unfinished = unfinishedName(dirname(resolve(directory)));
  try {
    await fill(unfinished, pages);
    await rename(unfinished, directory);
    await syncDirectory(dirname(directory));
  } catch (error) {
    throw fileFailure(error);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function fill(directory: string, pages: AsyncIterable<readonly Entry[]>): Promise<void> {
  // Loaded on use: importing the port must not load LMDB.
  const { openLmdbStore } = await import('./open-lmdb-store.js');
  const store = await openLmdbStore({ directory });
  try {
    for await (const entries of pages) {
      await store.transact((tx) => {
        for (const { key, value } of entries) tx.put(key, value);
      });
    }
  } finally {
    await store.close();
    // The lock file belongs to the process that has the store open; here there is none.
    await rm(lockFileOf(directory), { force: true });
  }
}
