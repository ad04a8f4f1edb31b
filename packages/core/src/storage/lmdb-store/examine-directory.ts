/** Examines a data directory without opening its store. */
import { realpath } from 'node:fs/promises';
import { storeError } from '../store/store-error.js';
import { codeOf, fileFailure } from './failure.js';
import { assertLocalFileSystem, freeBytes } from './directory.js';
import { manifestOfFound } from './found-store.js';
import { RESERVE_BYTES } from './group-commit.js';
import type { Durability } from './manifest.js';

/** A data directory that holds a store. */
export interface ExaminedDirectory {
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
