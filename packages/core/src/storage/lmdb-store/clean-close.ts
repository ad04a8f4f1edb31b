/**
 * The record of a clean close: the state of the data file when its owner closed it. The next
 * opening trusts the leaves of a file that is still in this state until they are checked.
 */
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { dataFileOf } from './data-file.js';
import { readPageSpace } from './data-header.js';
import { replaceFile, syncDirectory, syncFile } from './directory.js';
import { codeOf } from './failure.js';
import { PageFault } from './page-reader.js';

/** Name of the record in the directory of a store. */
export const CLOSE_RECORD_FILE = 'closed.json';

const FORMAT = 'agentkeep-clean-close';

/** Smaller files have no record: checking all of their pages takes a few milliseconds. */
export const RECORDED_BYTES_MIN = 2_097_152;

/** Longest time in which a file system gives two changes the same time. */
const CHANGE_TICK_MS = 20;

/** The state of a data file, and when the system last changed anything about it. */
interface FileState {
  readonly text: string;
  readonly changedNs: bigint;
}

/**
 * Records the state of the data file of a directory, durably, if the file is large. Call it before
 * the claim is released, and after the last write.
 */
export async function recordCleanClose(directory: string): Promise<void> {
  const path = dataFileOf(directory);
  if ((await stat(path)).size < RECORDED_BYTES_MIN) return;
  await syncFile(path);
  const { text } = await stateOf(directory);
  // Any later change of the file then has a later time than the one in the record.
  await setTimeout(CHANGE_TICK_MS);
  await replaceFile(closeRecordOf(directory), text);
}

/**
 * Returns whether the data file of a directory is unchanged since its owner closed it: the same
 * file, of the same size and content of headers, to which nothing has written since. Only a fault
 * of the disk itself can have changed it. A copy of a directory never passes.
 */
export async function isCleanlyClosed(directory: string): Promise<boolean> {
  const path = closeRecordOf(directory);
  try {
    const recorded = await readFile(path, 'utf8');
    const { text, changedNs } = await stateOf(directory);
    const { ctimeNs: recordedNs } = await stat(path, { bigint: true });
    // With equal times, a change could have followed the record.
    return recorded === text && changedNs < recordedNs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof PageFault) return false;
    throw error;
  }
}

/** Removes the record, durably, before the first write. */
export async function removeCloseRecord(directory: string): Promise<void> {
  try {
    await rm(closeRecordOf(directory));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await syncDirectory(directory);
}

function closeRecordOf(directory: string): string {
  return join(directory, CLOSE_RECORD_FILE);
}

async function stateOf(directory: string): Promise<FileState> {
  const file = await open(dataFileOf(directory), 'r');
  try {
    return await stateOfFile(file);
  } finally {
    await file.close();
  }
}

async function stateOfFile(file: FileHandle): Promise<FileState> {
  const { transaction, mainTree, freeTree, lastPage } = readPageSpace(file.fd);
  const { ino, size, ctimeNs } = await file.stat({ bigint: true });
  const document = {
    format: FORMAT,
    transaction: String(transaction),
    main_root: mainTree.root ?? null,
    free_root: freeTree.root ?? null,
    last_page: lastPage,
    file: String(ino),
    size: String(size),
    changed_ns: String(ctimeNs),
  };
  return { text: `${JSON.stringify(document, null, 2)}\n`, changedNs: ctimeNs };
}
