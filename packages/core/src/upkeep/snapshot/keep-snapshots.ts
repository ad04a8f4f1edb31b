/** Keeps a number of complete snapshots. */
import { join } from 'node:path';
import { AgentkeepError, hasCode } from '../../contract/errors/agentkeep-error.js';
import { Port } from '../../kernel/ports/port.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import { makeSnapshot, type SnapshotSource } from './make-snapshot.js';
import type { ScheduleSettings } from './schedule/snapshot-options.js';
import type { ListedSnapshot, Snapshot, SnapshotList } from './schema.js';
import {
  folderBytes,
  listSnapshotIds,
  snapshotsOf,
  unfinishedSnapshots,
} from './snapshot-folder.js';
import { readSnapshotManifest } from './snapshot-manifest.js';

/** Where the snapshots of a keep are, and how it makes them by itself. */
export interface SnapshotLocation {
  /** The data directory; absent over a store that the caller provided. */
  readonly dataDir: string | undefined;
  /** The options of the schedule; absent where they ask for none. */
  readonly schedule: ScheduleSettings | undefined;
}

/** The snapshots of a keep. */
export const snapshotLocation = new Port<SnapshotLocation>('snapshotLocation');

type DataLocation = Pick<SnapshotLocation, 'dataDir'>;

/**
 * Makes a snapshot of everything acknowledged before the call, without blocking other calls.
 * @throws {AgentkeepError} `no_data_directory`; else as {@link makeSnapshot}.
 */
export async function snapshotKeep(
  place: DataLocation,
  { audit, clock, backend }: Pick<Runtime, 'audit' | 'clock' | 'backend'>,
  options: Pick<SnapshotSource, 'onProgress' | 'isScheduled' | 'afterwards'> = {},
): Promise<Snapshot> {
  const dataDir = directoryOf(place);
  // Include events that still wait in memory.
  await audit.flush();
  const backup = (directory: string): Promise<void> => backend.backup(directory);
  return makeSnapshot({ dataDir, clock, backup, ...options });
}

/**
 * Returns the complete snapshots of a keep, newest first.
 * @throws {AgentkeepError} `no_data_directory`
 */
export async function snapshotsOfKeep(place: DataLocation): Promise<SnapshotList> {
  return completeSnapshots(directoryOf(place));
}

/**
 * Returns the data directory of a keep.
 * @throws {AgentkeepError} `no_data_directory`
 */
export function directoryOf({ dataDir }: DataLocation): string {
  if (dataDir === undefined) throw new AgentkeepError('no_data_directory');
  return dataDir;
}

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
    if (hasCode(error, 'snapshot_damaged')) return undefined;
    throw error;
  }
}
