/** Makes a snapshot: copies the store, checks the copy in a separate process, then names it. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ensureDirectory,
  makeUnfinishedDirectory,
  removeUnfinished,
} from '../../storage/lmdb-store/directory.js';
import { fileFailure } from '../../storage/lmdb-store/failure.js';
import type { Clock } from '../../kernel/ports/clock.js';
import { checkStore } from './check-process.js';
import type { OnProgress } from './progress.js';
import type { Snapshot } from './schema.js';
import { SNAPSHOT_FILES } from './snapshot-files.js';
import {
  folderBytes,
  freeMoment,
  lockSnapshots,
  publishSnapshot,
  snapshotsOf,
} from './snapshot-folder.js';
import { snapshotIdAt, writeSnapshotManifest } from './snapshot-manifest.js';

/** The source of a snapshot. */
export interface SnapshotSource {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Copies the current store into an empty directory. */
  readonly backup: (directory: string) => Promise<void>;
  readonly onProgress?: OnProgress | undefined;
  /** Whether the schedule of a keep makes it. Default: false. */
  readonly isScheduled?: boolean;
  /** Runs once it is complete, while no other can be made. */
  readonly afterwards?: (folder: string) => Promise<void>;
}

/**
 * Makes a snapshot of a data directory, in its folder `snapshots`.
 * @throws {AgentkeepError} `snapshot_in_progress` while another one is made; `store_full`;
 * `store_unavailable` if copying failed; `storage_inconsistency` if the copy does not verify.
 */
export async function makeSnapshot(source: SnapshotSource): Promise<Snapshot> {
  const folder = snapshotsOf(source.dataDir);
  const startedMs = source.clock.now();
  try {
    const unlock = await lockSnapshots(folder);
    try {
      await removeUnfinished(folder);
      const made = await makeIn(folder, source, startedMs);
      await source.afterwards?.(folder);
      return made;
    } finally {
      await unlock();
    }
  } catch (error) {
    throw fileFailure(error);
  }
}

async function makeIn(
  folder: string,
  { backup, onProgress, isScheduled = false }: SnapshotSource,
  startedMs: number,
): Promise<Snapshot> {
  const createdMs = await freeMoment(folder, startedMs);
  const snapshot_id = snapshotIdAt(createdMs);
  // Its name says what it becomes, so that an erasure meanwhile can list it.
  const unfinished = await makeUnfinishedDirectory(folder, snapshot_id);
  try {
    await ensureDirectory(unfinished);
    await backup(unfinished);
    const { files, content } = await checkStore({
      directory: unfinished,
      files: SNAPSHOT_FILES,
      onProgress,
    });
    await writeSnapshotManifest(unfinished, {
      snapshot_id,
      created_at: new Date(createdMs).toISOString(),
      is_scheduled: isScheduled,
      records: content.records,
      files: [...files],
    });
    await publishSnapshot(folder, unfinished, snapshot_id);
    const path = join(folder, snapshot_id);
    return { snapshot_id, path, size_bytes: await folderBytes(path) };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
