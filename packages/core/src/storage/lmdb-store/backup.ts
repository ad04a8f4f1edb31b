/** Copies a store in use. The copy is complete and durable when the call returns, or removed. */
import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dataFileOf } from './data-file.js';
import { ensureDirectory, freeBytes, isEmpty, syncDirectory, syncFile } from './directory.js';
import { fileFailure } from './failure.js';
import { storeError } from '../store/store-error.js';
import { createManifest, type Manifest } from './manifest.js';

/** The store that is copied. */
export interface BackupSource {
  readonly directory: string;
  readonly manifest: Manifest;
  readonly environment: {
    /** Copies the data file into a directory that has none. */
    readonly copy: (directory: string) => Promise<void>;
  };
  /** Free disk space that the copy must leave, in bytes. */
  readonly reserveBytes: number;
}

/**
 * Copies a store into an empty or absent directory.
 *
 * @throws {AgentkeepError} `store_incompatible` if the directory is not empty; `store_full` if the
 * copy would not leave the reserve free; `store_unavailable` if the copy failed.
 */
export async function backUpStore(source: BackupSource, target: string): Promise<void> {
  try {
    await ensureDirectory(target);
    if (!(await isEmpty(target))) {
      throw storeError('store_incompatible', `${target} is not empty; copy into a new directory.`);
    }
    const { size } = await stat(dataFileOf(source.directory));
    if (freeBytes(target) - size < source.reserveBytes) {
      throw storeError('store_full', `A copy of ${size} bytes would not leave the reserve free.`);
    }
    await writeCopy(source, target);
  } catch (error) {
    throw fileFailure(error);
  }
}

async function writeCopy({ environment, manifest }: BackupSource, target: string): Promise<void> {
  try {
    await environment.copy(target);
    await syncFile(dataFileOf(target));
    // The manifest is written last: an interrupted copy has none and is never opened as a store.
    await createManifest(target, manifest);
    await syncDirectory(dirname(target));
  } catch (error) {
    await rm(dataFileOf(target), { force: true });
    throw error;
  }
}
