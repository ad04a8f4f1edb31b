/** Copies a store that another process may have open and may be writing to. */
import { realpath, stat } from 'node:fs/promises';
import { backUpStore } from './backup.js';
import { lockFileOf } from './data-file.js';
import { assertLocalFileSystem } from './directory.js';
import { copyUnclaimed } from './environment.js';
import { codeOf, fileFailure } from './failure.js';
import { storeError } from '../store/store-error.js';
import { manifestOfFound } from './found-store.js';
import { RESERVE_BYTES } from './group-commit.js';
import { holdDirectory } from './open-directories.js';
import { MAP_SIZE_BYTES } from './open-root.js';

/**
 * Copies the store of a directory, as of its last commit, into an empty or absent one. The process
 * that owns the store is not affected. During the copy, no other process can become the owner.
 *
 * @throws {AgentkeepError} `store_in_use` if this process has the store open (use its `backup`
 * then); `store_incompatible` if there is no store; `store_full`; `store_unavailable` if the copy
 * failed or the owner of the store changed during it.
 */
export async function copyServedStore(directory: string, target: string): Promise<void> {
  try {
    const real = await realpath(directory);
    await assertLocalFileSystem(real);
    const release = await holdDirectory(real);
    try {
      const manifest = { ...(await manifestOfFound(real)), isInitialised: true };
      const environment = { copy: (into: string) => copySteadily(real, into) };
      await backUpStore(
        { directory: real, manifest, environment, reserveBytes: RESERVE_BYTES },
        target,
      );
    } finally {
      release();
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw fileFailure(error);
    throw storeError('store_incompatible', `The directory ${directory} does not exist.`, error);
  }
}

/** The lock file protects the pages that a copy reads, so it must stay the same file throughout. */
async function copySteadily(directory: string, target: string): Promise<void> {
  const before = await lockIdentity(directory);
  await copyUnclaimed({ directory, mapSizeBytes: MAP_SIZE_BYTES }, target);
  const after = await lockIdentity(directory);
  if (before === undefined || before === after) return;
  throw storeError(
    'store_unavailable',
    `The owner of ${directory} changed during the copy. Try again.`,
  );
}

async function lockIdentity(directory: string): Promise<bigint | undefined> {
  try {
    return (await stat(lockFileOf(directory), { bigint: true })).ino;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
