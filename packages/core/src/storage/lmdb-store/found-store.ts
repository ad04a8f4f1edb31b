/**
 * Opens a store exclusively for reading, without creating or repairing anything, and without
 * leaving anything behind. Run it in a separate process, because LMDB ends the process on some
 * kinds of damage.
 */
import { readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { Positions } from '../store/position.js';
import type { Store } from '../store/store.js';
import { checkDataFile, type CheckDepth, lockFileOf } from './data-file.js';
import { assertLocalFileSystem, unfinishedName } from './directory.js';
import { FILE_MODE } from './private-files.js';
import type { Environment } from './environment.js';
import { codeOf, fileFailure } from './failure.js';
import { storeError } from '../store/store-error.js';
import { GroupCommit } from './group-commit.js';
import { assembleLmdbStore } from './lmdb-store.js';
import { readManifest, type Manifest } from './manifest.js';
import { openClaimed } from './open-lmdb-store.js';
import { holdDirectory } from './open-directories.js';
import { MAP_SIZE_BYTES } from './open-root.js';

/** A store that is open for reading only. */
export interface FoundStore extends Pick<Store, 'read' | 'scan' | 'stats' | 'close'> {
  /**
   * Restores the lock file, which opening a store changes: replaces it by a file with the original
   * bytes and times, or removes it if there was none. Call it once, before `close`.
   */
  putBackLock(): Promise<void>;
}

/**
 * Opens the store of a directory for reading.
 *
 * @throws {AgentkeepError} `store_in_use` if any process has it open; `store_incompatible` if there
 * is none or it is damaged; `store_unavailable` if the disk fails.
 */
export async function openFoundStore(directory: string): Promise<FoundStore> {
  try {
    const real = await realpath(directory);
    await assertLocalFileSystem(real);
    const release = await holdDirectory(real);
    try {
      return await openHeld(real, release);
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw fileFailure(error);
    throw storeError('store_incompatible', `The directory ${directory} does not exist.`, error);
  }
}

/**
 * Returns the manifest of a directory that holds a store.
 *
 * @throws {AgentkeepError} `store_incompatible` if it holds none, or if its data file is damaged.
 */
export async function manifestOfFound(
  directory: string,
  depth: CheckDepth = 'headers',
): Promise<Manifest> {
  const manifest = await readManifest(directory);
  if (manifest === undefined || !(await checkDataFile(directory, depth))) {
    throw storeError('store_incompatible', `${directory} does not contain a store.`);
  }
  return manifest;
}

async function openHeld(directory: string, release: () => void): Promise<FoundStore> {
  const manifest = await manifestOfFound(directory, 'pages');
  const lock = await lockAsFound(directory);
  const options = { directory, mapSizeBytes: MAP_SIZE_BYTES, isSynced: true };
  const environment = await openClaimed(options, manifest);
  // Nothing is ever submitted, so the free space is never measured.
  const positions = new Positions(0);
  const commits = new GroupCommit({
    environment,
    positions,
    freeBytes: () => 0,
    reserveBytes: 0,
    onFatal: () => undefined,
  });
  const store = assembleLmdbStore({
    directory,
    manifest,
    environment,
    commits,
    positions,
    release,
  });
  return {
    read: (body) => store.read(body),
    scan: (visit) => store.scan(visit),
    stats: () => store.stats(),
    putBackLock: () => lock.putBack(environment),
    close: () => store.close(),
  };
}

/** The lock file as it was before the opening, which changes it. */
interface FoundLock {
  /**
   * Restores the file. Safe while the environment is claimed: a process that has the old file open
   * is refused by the claim, and one that opens the new file finds no other reader.
   */
  putBack(claimed: Pick<Environment, 'isAlone'>): Promise<void>;
}

async function lockAsFound(directory: string): Promise<FoundLock> {
  const path = lockFileOf(directory);
  const found = await readIfThere(path);
  return {
    putBack: async (claimed) => {
      if (!claimed.isAlone()) return;
      if (found === undefined) return rm(path, { force: true });
      const copy = unfinishedName(directory);
      try {
        await writeFile(copy, found.bytes, { flag: 'wx', mode: FILE_MODE });
        await utimes(copy, found.atime, found.mtime);
        await rename(copy, path);
      } finally {
        await rm(copy, { force: true });
      }
    },
  };
}

async function readIfThere(path: string) {
  try {
    const { atimeMs, mtimeMs } = await stat(path);
    // In seconds, because a Date would drop fractions of a millisecond.
    return { bytes: await readFile(path), atime: atimeMs / 1_000, mtime: mtimeMs / 1_000 };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
