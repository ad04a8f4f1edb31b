/**
 * Snapshots of an open keep.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import { completeSnapshots } from './complete-snapshots.js';
import { makeSnapshot, type SnapshotSource } from './make-snapshot.js';
import type { Snapshot, SnapshotList } from './schema.js';

/**
 * Makes a snapshot of everything acknowledged before the call, without blocking other calls.
 * @throws {AgentkeepError} `no_data_directory`; else as {@link makeSnapshot}.
 */
export async function snapshotKeep(
  runtime: Pick<Runtime, 'dataDir' | 'audit' | 'clock' | 'backend'>,
  options: Pick<SnapshotSource, 'onProgress' | 'isScheduled' | 'afterwards'> = {},
): Promise<Snapshot> {
  const dataDir = directoryOf(runtime);
  const { audit, clock, backend } = runtime;
  // Include events that still wait in memory.
  await audit.flush();
  const backup = (directory: string): Promise<void> => backend.backup(directory);
  return makeSnapshot({ dataDir, clock, backup, ...options });
}

/**
 * Returns the complete snapshots of a keep, newest first.
 * @throws {AgentkeepError} `no_data_directory`
 */
export async function snapshotsOfKeep(runtime: Pick<Runtime, 'dataDir'>): Promise<SnapshotList> {
  return completeSnapshots(directoryOf(runtime));
}

function directoryOf({ dataDir }: Pick<Runtime, 'dataDir'>): string {
  if (dataDir === undefined) throw new AgentkeepError('no_data_directory');
  return dataDir;
}
