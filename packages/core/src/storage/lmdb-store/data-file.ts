/**
 * Checks a data file before LMDB maps it. LMDB ends the process if the file is shorter than its
 * header says or has an invalid page, and treats an empty file as a new store.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './failure.js';
import { storeError } from '../store/store-error.js';
import { readPageSpace } from './data-header.js';
import { checkPages, checkUpperPages, describeFault, type PageSpace } from './data-pages.js';

/** Name of the data file in the directory of a store. */
export const DATA_FILE = 'data.mdb';

/** Returns the path of a store's data file. */
export function dataFileOf(directory: string): string {
  return join(directory, DATA_FILE);
}

/** Returns the path of LMDB's own lock file of a store. */
export function lockFileOf(directory: string): string {
  return join(directory, 'lock.mdb');
}

/**
 * How deeply a data file is checked: its headers and length, what LMDB reads to open it and the
 * upper branches, or every page in use. A damaged page may end the process that reads it, or return
 * data that was never stored.
 */
export type CheckDepth = 'headers' | 'branches' | 'pages';

/**
 * Checks that LMDB can open the data file of a directory safely. Returns false if there is none.
 *
 * @throws {AgentkeepError} `store_incompatible` if the file is empty, foreign or damaged.
 */
export async function checkDataFile(directory: string, depth: CheckDepth): Promise<boolean> {
  const path = dataFileOf(directory);
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  try {
    const fault = await findFault(file.fd, depth);
    if (fault === undefined) return true;
    throw storeError('store_incompatible', `${path} ${fault}.`);
  } finally {
    await file.close();
  }
}

async function findFault(fd: number, depth: CheckDepth): Promise<string | undefined> {
  let space: PageSpace | undefined;
  const fault = await describeFault(async () => {
    space = readPageSpace(fd);
    // An intact file may lack free pages at its end, so only missing pages in use are a fault.
    const isWhole = space.filePages > space.lastPage;
    if (depth === 'branches') await checkUpperPages(fd, space);
    else if (depth === 'pages' || !isWhole) await checkPages(fd, space);
  });
  if (fault === undefined || space === undefined) return fault;
  // A live owner may change pages during the walk, but only after its next commit.
  const after = await transactionOf(fd);
  return after === undefined || after === space.transaction ? fault : undefined;
}

async function transactionOf(fd: number): Promise<bigint | undefined> {
  let transaction: bigint | undefined;
  await describeFault(() => {
    ({ transaction } = readPageSpace(fd));
  });
  return transaction;
}
