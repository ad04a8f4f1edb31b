/**
 * Writes entries that come from elsewhere into a directory, as a store on disk.
 * @module
 */
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Entry } from '../store/store.js';
import { lockFileOf } from './data-file.js';
import { ensureDirectory, isEmpty, syncDirectory, unfinishedName } from './directory.js';
import { fileFailure, storeError } from './failure.js';
import { openLmdbStore } from './open-lmdb-store.js';

/**
 * Fills an empty or absent directory. It is complete and durable when this returns, or as it was.
 * @throws {AgentkeepError} `store_incompatible` if there is something in it, `store_full`,
 * `store_unavailable` if the disk fails; or what the entries fail with.
 */
export async function writeStoreDirectory(
  directory: string,
  pages: AsyncIterable<readonly Entry[]>,
): Promise<void> {
  await ensureDirectory(directory);
  if (!(await isEmpty(directory))) {
    throw storeError('store_incompatible', `${directory} is not empty; copy into a new directory.`);
  }
  // Filled beside and renamed, so that a copy that broke off is never taken for a store.
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
  const store = await openLmdbStore({ directory });
  try {
    for await (const entries of pages) {
      await store.transact((tx) => {
        for (const { key, value } of entries) tx.put(key, value);
      });
    }
  } finally {
    await store.close();
    // It belongs to who has the store open, and a copy is nobody's yet.
    await rm(lockFileOf(directory), { force: true });
  }
}
