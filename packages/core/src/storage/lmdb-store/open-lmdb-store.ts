/**
 * Opens a directory as a store: checks it, creates it if it is new, and claims it for this process.
 */
import { randomUUID } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { EPOCH_KEY, nextEpoch, openEpoch, Positions } from '../store/position.js';
import type { Store } from '../store/store.js';
import { isCleanlyClosed, recordCleanClose, removeCloseRecord } from './clean-close.js';
import { checkDataFile, dataFileOf, lockFileOf } from './data-file.js';
import {
  assertLocalFileSystem,
  ensureDirectory,
  freeBytes,
  linkUnlessTaken,
  makeUnfinishedDirectory,
  removeUnfinished,
  syncDirectory,
  syncFile,
} from './directory.js';
import { createEnvironment, openEnvironment, type Environment } from './environment.js';
import { fileFailure } from './failure.js';
import { storeError } from '../store/store-error.js';
import type { FrameFeed } from '../frames/frame-log.js';
import { GroupCommit } from './group-commit.js';
import { startLeafCheck } from './leaf-check.js';
import { assembleLmdbStore } from './lmdb-store.js';
import {
  createManifest,
  manifestFileOf,
  readManifest,
  replaceManifest,
  type Durability,
  type Manifest,
} from './manifest.js';
import { holdDirectory } from './open-directories.js';
import { type EnvironmentOptions, MAP_SIZE_BYTES, preloadEngine } from './open-root.js';
import { makeStorePrivate } from './private-files.js';

/** How to open a store on disk. */
export interface LmdbStoreOptions {
  /**
   * Created with mode 0700 if it is absent; its files have mode 0600. Files and directories
   * that this user owns are tightened. One of another user must not be open to everybody.
   */
  readonly directory: string;
  /** Fixed when the store is created. Default `strict`. */
  readonly durability?: Durability;
  /** Initial address space in bytes, which grows when needed. Default 1 GiB. */
  readonly mapSizeBytes?: number;
  /**
   * Free disk space in bytes below which writes are refused with `store_full`. Default: 64 MiB, or
   * twice the largest batch if that is more.
   */
  readonly reserveBytes?: number;
  /**
   * Called once if a failed commit leaves the store unable to read or write, or if a page turns out
   * to be damaged after the opening of a store that was closed cleanly. Restart the process, or
   * close and reopen the store. No acknowledged write is lost by a failed commit. After damage,
   * the next opening checks every page first.
   */
  readonly onFatal?: (error: AgentkeepError) => void;
}

/**
 * Opens the store in a directory, or creates a new one if there is none.
 *
 * @throws {AgentkeepError} `store_in_use` if another process, or this one, has it open;
 * `store_incompatible` if the store has another version or durability, the directory contains
 * something else, everybody has access to it, or it is on a network file system;
 * `store_unavailable` if the disk fails.
 * @example
 * ```ts
 * import { mkdtemp } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { openLmdbStore } from '@agentkeep/core';
 *
 * const directory = await mkdtemp(join(tmpdir(), 'agentkeep-'));
 * const store = await openLmdbStore({ directory });
 * await store.close();
 * ```
 */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<Store> {
  return (await openParts(options)).store;
}

/** A store whose commits are also kept as frames. */
export interface FramedStore {
  readonly store: Store;
  readonly frames: FrameFeed;
}

/**
 * Opens a store as {@link openLmdbStore} does, and keeps each commit as a frame from now on. `now`
 * returns the time of a commit in Unix milliseconds.
 */
export async function openFramedStore(
  options: LmdbStoreOptions,
  now: () => number,
): Promise<FramedStore> {
  const { store, frames } = await openParts(options, now);
  if (frames === undefined) throw storeError('store_unavailable', 'No frames are kept.');
  return { store, frames };
}

/** An opened store, with its frames if they are kept. */
interface OpenedParts {
  readonly store: Store;
  readonly frames: FrameFeed | undefined;
}

async function openParts(options: LmdbStoreOptions, now?: () => number): Promise<OpenedParts> {
  preloadEngine();
  try {
    await ensureDirectory(options.directory);
    const directory = await realpath(options.directory);
    await assertLocalFileSystem(directory);
    const release = await holdDirectory(directory);
    try {
      return await openHeld({ ...options, directory }, release, now);
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    throw fileFailure(error);
  }
}

async function openHeld(
  options: LmdbStoreOptions,
  release: () => void,
  now: (() => number) | undefined,
): Promise<OpenedParts> {
  const { directory, durability = 'strict', mapSizeBytes = MAP_SIZE_BYTES } = options;
  const found = await findManifest(directory, durability);
  if (found.durability !== durability) {
    throw new AgentkeepError('store_incompatible', {
      message: 'The durability of a data directory is fixed. Open it with the one that it has.',
      cause: new Error(`The store in ${directory} has the durability "${found.durability}".`),
    });
  }
  const files = [dataFileOf(directory), lockFileOf(directory), manifestFileOf(directory)];
  await makeStorePrivate(directory, files);
  // These are the parts that LMDB reads to open the file. The rest is checked once no other process
  // can write to it.
  if (!(await checkDataFile(directory, 'branches'))) await makeDataFile(directory, found);
  const isSynced = durability === 'strict';
  const environment = await openClaimed({ directory, mapSizeBytes, isSynced }, found);
  const manifest = { ...found, isInitialised: true };
  let isClean: boolean;
  let positions: Positions;
  let frames: FrameFeed | undefined;
  try {
    isClean = await isCleanlyClosed(directory);
    if (!isClean) await checkDataFile(directory, 'pages');
    await removeCloseRecord(directory);
    // During the first opening, temporary files may belong to a concurrent process.
    if (found.isInitialised) await removeUnfinished(directory);
    else await replaceManifest(directory, manifest);
    positions = positionsAbove(environment);
    if (now === undefined) environment.leaveFrames();
    else frames = environment.keepFrames(now);
  } catch (error) {
    await environment.close();
    throw error;
  }
  const commits = new GroupCommit({
    environment,
    positions,
    freeBytes: () => freeBytes(directory),
    reserveBytes: options.reserveBytes,
    copies: frames === undefined ? 1 : 2,
    onFatal: options.onFatal ?? (() => undefined),
  });
  const leaves = isClean
    ? startLeafCheck(directory, (error) => commits.end(fileFailure(error)))
    : undefined;
  const finish = async () => {
    await leaves?.stop();
    // If commits did not wait for the disk, the last writes may not be on it yet.
    if (!isSynced) await syncFile(dataFileOf(directory));
    // Without a record, the next opening checks every page first.
    if (commits.fatalError === undefined) await recordCleanClose(directory).catch(() => undefined);
  };
  const parts = { directory, manifest, environment, commits, positions, finish, release };
  return { store: assembleLmdbStore(parts), frames };
}

/**
 * Begins an epoch. Each opening has its own, because the directory may be a restored copy of a
 * store that continued after the copy was made.
 */
function positionsAbove(environment: Environment): Positions {
  return new Positions(nextEpoch(openEpoch(environment.get(EPOCH_KEY)), Date.now()));
}

/** Returns the manifest of a store, or a first one for the directory of a new store. */
async function findManifest(directory: string, durability: Durability): Promise<Manifest> {
  const found = await readManifest(directory);
  if (found !== undefined) return found;
  const hasData = await checkDataFile(directory, 'headers');
  // Another process may be creating the store too. The manifest is written before the data, and
  // only the first manifest stays.
  const own = { durability, storeId: randomUUID(), isInitialised: false };
  if (!hasData) await createManifest(directory, own);
  const first = await readManifest(directory);
  if (first !== undefined) return first;
  throw storeError('store_incompatible', `${directory} has a data file but no manifest.`);
}

/** Creates a data file under a temporary name, and links it when it is complete and durable. */
async function makeDataFile(directory: string, manifest: Manifest): Promise<void> {
  if (manifest.isInitialised) {
    throw storeError(
      'store_incompatible',
      `The data file of the store in ${directory} is missing. Restore it.`,
    );
  }
  const nursery = await makeUnfinishedDirectory(directory);
  try {
    // One flush of the whole file replaces one flush for each of the first commits.
    const options = { directory: nursery, mapSizeBytes: MAP_SIZE_BYTES, isSynced: false };
    await createEnvironment(options, manifest.storeId);
    await syncFile(dataFileOf(nursery));
    await linkUnlessTaken(dataFileOf(nursery), dataFileOf(directory));
    await syncDirectory(directory);
  } finally {
    await rm(nursery, { recursive: true, force: true });
  }
}

/**
 * Opens and claims the environment that a manifest belongs to.
 *
 * @throws {AgentkeepError} `store_in_use`; `store_incompatible` if it belongs to another store.
 */
export async function openClaimed(
  options: EnvironmentOptions,
  manifest: Manifest,
): Promise<Environment> {
  const { directory } = options;
  const found = await openEnvironment(options);
  try {
    if (found.storeId !== manifest.storeId) {
      const detail = `The data file in ${directory} does not belong to the store of its manifest.`;
      throw storeError('store_incompatible', detail);
    }
    const environment = found.claim();
    if (environment !== undefined) return environment;
    throw storeError('store_in_use', `Another process has ${directory} open.`);
  } catch (error) {
    await found.close();
    throw error;
  }
}
