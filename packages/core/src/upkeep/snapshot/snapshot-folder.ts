/**
 * The folder of snapshots in a data directory: one folder each, a link to the newest, and
 * unfinished ones.
 */
import { readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AgentkeepError, hasCode } from '../../contract/errors/agentkeep-error.js';
import {
  ensureDirectory,
  isUnfinished,
  labelOf,
  removeUnfinished,
  syncDirectory,
  unfinishedName,
} from '../../storage/lmdb-store/directory.js';
import { codeOf } from '../../storage/lmdb-store/failure.js';
import { openLmdbStore } from '../../storage/lmdb-store/open-lmdb-store.js';
import { isSnapshotId, snapshotIdAt, timeOfSnapshotId } from './snapshot-manifest.js';

const LATEST = 'latest';
const LOCK = '.lock';
const LOCK_MAP_BYTES = 1_048_576;

/** Returns the absolute path of the snapshots folder of a data directory. */
export function snapshotsOf(dataDir: string): string {
  return join(resolve(dataDir), 'snapshots');
}

/**
 * Locks the folder across processes. An empty store serves as the lock, because the system releases
 * it even if its owner crashes.
 * @returns A function that releases the lock.
 * @throws {AgentkeepError} `snapshot_in_progress`
 */
export async function lockSnapshots(folder: string): Promise<() => Promise<void>> {
  await ensureDirectory(folder);
  try {
    const lock = await openLmdbStore({
      directory: join(folder, LOCK),
      mapSizeBytes: LOCK_MAP_BYTES,
      reserveBytes: 0,
    });
    return () => lock.close();
  } catch (cause) {
    const isTaken = hasCode(cause, 'store_in_use');
    throw isTaken ? new AgentkeepError('snapshot_in_progress', { cause }) : cause;
  }
}

/**
 * Removes unfinished snapshots, unless one is being made. Ignores what can't be removed: it isn't
 * listed and does no harm.
 */
export async function removeUnfinishedSnapshots(dataDir: string): Promise<void> {
  const folder = snapshotsOf(dataDir);
  try {
    if (!(await readdir(folder)).some(isUnfinished)) return;
    const unlock = await lockSnapshots(folder);
    try {
      await removeUnfinished(folder);
    } finally {
      await unlock();
    }
  } catch {
    return;
  }
}

/** Returns the ids of complete snapshots, newest first. */
export async function listSnapshotIds(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return names.filter(isSnapshotId).sort().reverse();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A snapshot that isn't complete. */
interface UnfinishedSnapshot {
  readonly id: string;
  readonly created_at: string;
}

/** Returns the snapshots that are being made, or that were given up half made, newest first. */
export async function unfinishedSnapshots(folder: string): Promise<UnfinishedSnapshot[]> {
  try {
    const ids = (await readdir(folder)).map(labelOf).filter(isSnapshotId).sort().reverse();
    return ids.map((id) => ({ id, created_at: timeOfSnapshotId(id) }));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Returns the first time at or after a given one, in Unix milliseconds, whose id is free. */
export async function freeMoment(folder: string, fromMs: number): Promise<number> {
  const taken = new Set(await readdir(folder));
  let ms = fromMs;
  while (taken.has(snapshotIdAt(ms))) ms += 1;
  return ms;
}

/** Gives a complete snapshot its name and updates the link to the newest, durably. */
export async function publishSnapshot(
  folder: string,
  unfinished: string,
  snapshotId: string,
): Promise<void> {
  await syncDirectory(unfinished);
  await rename(unfinished, join(folder, snapshotId));
  // Links need a privilege on Windows.
  if (process.platform !== 'win32') await linkLatest(folder);
  await syncDirectory(folder);
}

/** Removes complete snapshots, oldest first. What remains of one after a kill is never listed. */
export async function removeSnapshots(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of [...ids].sort()) {
    const unfinished = unfinishedName(folder);
    await rename(join(folder, id), unfinished);
    await rm(unfinished, { recursive: true, force: true });
  }
  await syncDirectory(folder);
}

/** Returns the total size of a snapshot's files in bytes. */
export async function folderBytes(path: string): Promise<number> {
  const names = await readdir(path);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function linkLatest(folder: string): Promise<void> {
  const [newest] = await listSnapshotIds(folder);
  if (newest === undefined) return;
  const link = unfinishedName(folder);
  try {
    await symlink(newest, link);
    await rename(link, join(folder, LATEST));
  } finally {
    await rm(link, { force: true });
  }
}
