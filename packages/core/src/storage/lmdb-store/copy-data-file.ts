/**
 * Copies the data file of a store in slices, while its owner may write to it. A disk serves a flush
 * after the writes that it has taken before, so a commit waits for one slice at most and never for
 * the whole copy.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { storeError } from '../store/store-error.js';
import { PageFault } from './page-reader.js';
import { FILE_MODE } from './private-files.js';
import { readSettledHeaders, type SettledHeaders } from './settled-header.js';

/** Bytes that are written before they are flushed. */
export const SLICE_BYTES = 8_388_608;

/** The file that is written. */
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
 * Copies the newest committed state into a new file, durably. The caller holds a read transaction:
 * it keeps the pages of its state and of all later ones as they are.
 *
 * @throws {AgentkeepError} `storage_inconsistency` if the headers are damaged.
 */
export async function copyDataFile(from: string, to: string): Promise<void> {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'wx', FILE_MODE);
    try {
      await copySlices(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Copies the newest committed state from one open file to another, which is empty. */
export async function copySlices(source: FileHandle, target: CopyTarget): Promise<void> {
  const { bytes, space } = headersOf(source.fd);
  const end = Math.min(space.lastPage + 1, space.filePages) * space.pageBytes;
  const slice = Buffer.allocUnsafe(Math.min(SLICE_BYTES, end));
  let at = 0;
  while (at < end) {
    const { bytesRead } = await source.read(slice, 0, Math.min(slice.length, end - at), at);
    if (bytesRead === 0) throw storeError('storage_inconsistency', 'The data file was shortened.');
    // The headers in the file may be newer by now than the end that was read from them.
    if (at < bytes.length) slice.set(bytes.subarray(at));
    // In one call, because each waits for a turn of the event loop, which commits fill.
    const { bytesWritten } = await target.write(slice, 0, bytesRead, at);
    await target.datasync();
    at += bytesWritten;
  }
}

function headersOf(fd: number): SettledHeaders {
  try {
    return readSettledHeaders(fd);
  } catch (error) {
    if (!(error instanceof PageFault)) throw error;
    throw storeError('storage_inconsistency', `The data file ${error.message}.`, error);
  }
}
