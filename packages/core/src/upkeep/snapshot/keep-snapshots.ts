/**
 * Snapshots of an open keep.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { Port } from '../../kernel/ports/port.js';
import type { ScheduleSettings } from './schedule/snapshot-options.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import { completeSnapshots } from './complete-snapshots.js';
import { makeSnapshot, type SnapshotSource } from './make-snapshot.js';
import type { Snapshot, SnapshotList } from './schema.js';

/** Where the snapshots of a keep are, and how it makes them by itself. */
export interface SnapshotLocation {
  /** The data directory; absent over a store that the caller provided. */
  readonly dataDir: string | undefined;
  /** Absent where none are made in the background. */
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

function directoryOf({ dataDir }: DataLocation): string {
  if (dataDir === undefined) throw new AgentkeepError('no_data_directory');
  return dataDir;
}
