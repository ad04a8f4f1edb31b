/** Lists the snapshots of a data directory. */
import { join } from 'node:path';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ListedSnapshot, SnapshotList } from './schema.js';
import { folderBytes, listSnapshotIds, snapshotsOf } from './snapshot-folder.js';
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
