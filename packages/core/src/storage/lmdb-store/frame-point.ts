/** The last frame of a store that no process has open. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { RootDatabase } from 'lmdb';
import type { FramePoint } from '../frames/frame.js';
import { lockFileOf } from './data-file.js';
import { FrameLog } from '../frames/frame-log.js';
import { MAP_SIZE_BYTES, openRoot } from './open-root.js';

/**
 * Returns the last frame in the data file of a directory that no process has open, or `undefined`
 * if it never had any; with a position, that frame, or `undefined` if it is not kept.
 */
export function framePointIn(
  directory: string,
  position?: number,
): Promise<FramePoint | undefined> {
  return withUnclaimed(directory, (root) => FrameLog.pointIn(root, position));
}

/**
 * Returns whether the data file of a directory that no process has open has commits that are in no
 * frame, because it was written to without them.
 */
export function hasFrameGapIn(directory: string): Promise<boolean> {
  return withUnclaimed(directory, (root) => FrameLog.hasGapIn(root));
}

/**
 * Lets the next commit of a store that no process has open write the frame after a point that was
 * reached elsewhere. Frames that it has are removed.
 */
export async function continueFramesAfter(directory: string, point: FramePoint): Promise<void> {
  await withUnclaimed(directory, (root) => {
    FrameLog.continueAfter(root, point);
  });
}

async function withUnclaimed<T>(directory: string, use: (root: RootDatabase) => T): Promise<T> {
  const lock = lockFileOf(directory);
  const hadLock = existsSync(lock);
  const root = await openRoot({ directory, mapSizeBytes: MAP_SIZE_BYTES, isSynced: true });
  try {
    return use(root);
  } finally {
    await root.close();
    // Without a lock file before, there is no other process that uses it.
    if (!hadLock) await rm(lock, { force: true });
  }
}
