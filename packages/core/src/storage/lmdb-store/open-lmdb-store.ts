/**
 * Opens a directory as a store: checks it, makes it if it is new, and takes it for this process.
 * @module
 */
import { randomUUID } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import type { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Store } from '../store/store.js';
import { checkDataFile, dataFileOf } from './data-file.js';
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
import {
  createEnvironment,
  MAP_SIZE_BYTES,
  openEnvironment,
  type Environment,
  type EnvironmentOptions,
} from './environment.js';
import { fileFailure } from './failure.js';
import { storeError } from '../store/store-error.js';
import { GroupCommit } from './group-commit.js';
import { assembleLmdbStore } from './lmdb-store.js';
import {
  createManifest,
  readManifest,
  replaceManifest,
  type Durability,
  type Manifest,
} from './manifest.js';
import { holdDirectory } from './open-directories.js';

/** How to open a store on disk. */
export interface LmdbStoreOptions {
  /** Made with mode 0700 if it is absent; its files have mode 0600. */
  readonly directory: string;
  /** Chosen when a store is made and fixed from then on. Default `strict`. */
  readonly durability?: Durability;
  /** Address space to map at first; it grows by itself. Default 1 GiB. */
  readonly mapSizeBytes?: number;
  /**
   * Free disk space below which writes are refused with `store_full`. Default: 64 MiB, or twice
   * the largest batch if that is more.
   */
  readonly reserveBytes?: number;
  /**
   * Called once if a failed commit has left the store unable to read or write. Only a new process,
   * or closing and opening again, helps; everything that was acknowledged is still there.
   */
  readonly onFatal?: (error: AgentkeepError) => void;
}

/**
 * Opens the store in a directory, or makes a new one where there is none.
 * @throws {AgentkeepError} `store_in_use` if another process, or this one, has it open;
 * `store_incompatible` if the directory holds anything but a store of this version and durability,
 * or is on a file system that other machines share; `store_unavailable` if the disk fails.
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
  try {
    await ensureDirectory(options.directory);
    const directory = await realpath(options.directory);
    await assertLocalFileSystem(directory);
    const letGo = await holdDirectory(directory);
    try {
      return await openHeld({ ...options, directory }, letGo);
    } catch (error) {
      letGo();
      throw error;
    }
  } catch (error) {
    throw fileFailure(error);
  }
}

async function openHeld(options: LmdbStoreOptions, letGo: () => void): Promise<Store> {
  const { directory, durability = 'strict', mapSizeBytes = MAP_SIZE_BYTES } = options;
  const found = await findManifest(directory, durability);
  if (found.durability !== durability) {
    const detail = `The store in ${directory} was made with durability "${found.durability}", which is fixed.`;
    throw storeError('store_incompatible', detail);
  }
  if (!(await checkDataFile(directory, 'pages'))) await makeDataFile(directory, found);
  const isSynced = durability === 'strict';
  const environment = await openClaimed({ directory, mapSizeBytes, isSynced }, found);
  const manifest = { ...found, isInitialised: true };
  try {
    // What is unfinished may be a rival's, as long as this is the first opening.
    if (found.isInitialised) await removeUnfinished(directory);
    else await replaceManifest(directory, manifest);
  } catch (error) {
    await environment.close();
    throw error;
  }
  const commits = new GroupCommit({
    environment,
    freeBytes: () => freeBytes(directory),
    reserveBytes: options.reserveBytes,
    onFatal: options.onFatal ?? (() => undefined),
  });
  const release = async () => {
    letGo();
    // What the process has written the machine has not, unless each commit waited for it.
    if (!isSynced) await syncFile(dataFileOf(directory));
  };
  return assembleLmdbStore({ directory, manifest, environment, commits, release });
}

/** The manifest of a store, or a first one for a directory that is to become a store. */
async function findManifest(directory: string, durability: Durability): Promise<Manifest> {
  const found = await readManifest(directory);
  if (found !== undefined) return found;
  const hasData = await checkDataFile(directory, 'headers');
  // Another process may be making the store too. Its manifest comes before its data, and only the
  // first manifest stays.
  const own = { durability, storeId: randomUUID(), isInitialised: false };
  if (!hasData) await createManifest(directory, own);
  const first = await readManifest(directory);
  if (first !== undefined) return first;
  throw storeError('store_incompatible', `${directory} has a data file but no manifest.`);
}

/** Makes a data file aside and gives it its name when it is complete and durable. */
async function makeDataFile(directory: string, manifest: Manifest): Promise<void> {
  if (manifest.isInitialised) {
    throw storeError('store_incompatible', `The data file of the store in ${directory} is gone.`);
  }
  const nursery = await makeUnfinishedDirectory(directory);
  try {
    const options = { directory: nursery, mapSizeBytes: MAP_SIZE_BYTES, isSynced: true };
    await createEnvironment(options, manifest.storeId);
    await syncFile(dataFileOf(nursery));
    await linkUnlessTaken(dataFileOf(nursery), dataFileOf(directory));
    await syncDirectory(directory);
  } finally {
    await rm(nursery, { recursive: true, force: true });
  }
}

/**
 * Opens the environment that a manifest belongs to and claims it.
 * @throws {AgentkeepError} `store_in_use`, or `store_incompatible` for that of another store.
 */
export async function openClaimed(
  options: EnvironmentOptions,
  manifest: Manifest,
): Promise<Environment> {
  const { directory } = options;
  const found = await openEnvironment(options);
  try {
    if (found.storeId !== manifest.storeId) {
      const detail = `The data file in ${directory} belongs to another store, or to none.`;
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
