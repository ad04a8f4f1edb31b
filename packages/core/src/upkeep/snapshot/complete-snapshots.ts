/** Lists the snapshots of a data directory. */
import { join } from 'node:path';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ListedSnapshot, SnapshotList } from './schema.js';
import {
  folderBytes,
  listSnapshotIds,
  snapshotsOf,
  unfinishedSnapshots,
} from './snapshot-folder.js';
import { readSnapshotManifest } from './snapshot-manifest.js';

/** Returns the complete snapshots of a data directory, newest first. */
export async function completeSnapshots(dataDir: string): Promise<SnapshotList> {
  const folder = snapshotsOf(dataDir);
  const listed: ListedSnapshot[] = [];
  for (const snapshotId of await listSnapshotIds(folder)) {
    const snapshot = await describe(join(folder, snapshotId), snapshotId);
    if (snapshot !== undefined) listed.push(snapshot);
  }
  return { snapshots: listed, count: listed.length };
}

/** A copy of the store: a snapshot, or one that is being made. */
interface SnapshotCopy {
  readonly kind: 'snapshot';
  readonly id: string;
  readonly created_at: string;
}

/** Returns the snapshots of a data directory and those that are being made, newest first. */
export async function snapshotCopies(dataDir: string): Promise<SnapshotCopy[]> {
  const folder = snapshotsOf(dataDir);
  // Read first: one that is completed in between is then among the others.
  const making = await unfinishedSnapshots(folder);
  const { snapshots } = await completeSnapshots(dataDir);
  const made = new Set(snapshots.map(({ snapshot_id: id }) => id));
  return [
    ...making
      .filter(({ id }) => !made.has(id))
      .map((copy) => ({ kind: 'snapshot' as const, ...copy })),
    ...snapshots.map(({ snapshot_id: id, created_at }) => {
      return { kind: 'snapshot' as const, id, created_at };
    }),
  ];
}

/** Returns a snapshot, or `undefined` if the folder doesn't hold one. */
async function describe(path: string, snapshot_id: string): Promise<ListedSnapshot | undefined> {
  try {
    const { created_at, stored_version, is_scheduled } = await readSnapshotManifest(path);
    const size_bytes = await folderBytes(path);
    return { snapshot_id, path, size_bytes, created_at, stored_version, is_scheduled };
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'snapshot_damaged') return undefined;
    throw error;
  }
}
