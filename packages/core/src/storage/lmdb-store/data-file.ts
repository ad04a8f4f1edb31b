/**
 * Checks a data file before LMDB maps it, and copies one that is in use. LMDB ends the process if
 * the file is shorter than its header says or has an invalid page, and treats an empty file as a
 * new store.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './failure.js';
import { storeError } from '../store/store-error.js';
import { readPageSpace, readSettledHeaders, type SettledHeaders } from './data-header.js';
import { checkPages, checkUpperPages, describeFault, type PageSpace } from './data-pages.js';
import { FILE_MODE } from './private-files.js';

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
 * How deeply a data file is checked: its headers and length; the pages that LMDB reads to open it
 * and the upper branches; or every page in use. A damaged page may end the process that reads it,
 * or return data that was never stored.
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

/**
 * Bytes of a copy that are written before they are flushed. A disk serves a flush after all writes
 * that it has accepted before, so a commit waits for that many bytes at most, and never for the
 * whole copy.
 */
export const SLICE_BYTES = 8_388_608;

/** The file to write. */
export interface CopyTarget extends Pick<FileHandle, 'datasync'> {
  /** Writes some or all of a part of a buffer. */
  write(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
}

/**
 * Copies the newest committed state of a directory's data file into a directory that has none,
 * durably, while its owner may write to it. The caller holds a read transaction: it keeps the pages
 * of its state and of all later ones as they are.
 *
 * @throws {AgentkeepError} `storage_inconsistency` if the headers are damaged.
 */
export async function copyDataFile(directory: string, target: string): Promise<void> {
  const source = await open(dataFileOf(directory), 'r');
  try {
    const copy = await open(dataFileOf(target), 'wx', FILE_MODE);
    try {
      await copySlices(source, copy);
    } finally {
      await copy.close();
    }
  } finally {
    await source.close();
  }
}

/** Copies the newest committed state from one open file to another, which is empty. */
export async function copySlices(source: FileHandle, target: CopyTarget): Promise<void> {
  const { bytes, space } = await headersOf(source.fd);
  const end = Math.min(space.lastPage + 1, space.filePages) * space.pageBytes;
  const slice = Buffer.allocUnsafe(Math.min(SLICE_BYTES, end));
  let at = 0;
  while (at < end) {
    const { bytesRead } = await source.read(slice, 0, Math.min(slice.length, end - at), at);
    if (bytesRead === 0) throw storeError('storage_inconsistency', 'The data file was shortened.');
    // The headers in the file may be newer by now than the size that was read from them.
    if (at < bytes.length) slice.set(bytes.subarray(at));
    // In one call, because each call waits for a turn of the event loop, and commits fill those.
    const { bytesWritten } = await target.write(slice, 0, bytesRead, at);
    await target.datasync();
    at += bytesWritten;
  }
}

async function headersOf(fd: number): Promise<SettledHeaders> {
  let headers: SettledHeaders | undefined;
  const fault = await describeFault(() => {
    headers = readSettledHeaders(fd);
  });
  if (headers !== undefined) return headers;
  throw storeError('storage_inconsistency', `The data file ${fault ?? 'has no header'}.`);
}
