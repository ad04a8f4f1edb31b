/**
 * `agentkeep snapshot`: a consistent copy of a data directory, also of one that is being served.
 * @module
 */
import { snapshotDirectory, snapshotStore } from '@agentkeep/core/operator';
import type { Command, Invocation } from './command.js';
import { withDatabase } from './open-store.js';
import { withProgress } from './progress-line.js';

/** Needs no server and disturbs none. */
export const snapshot: Command = {
  name: 'snapshot',
  positionals: [],
  summary: 'Copy a data directory into its folder snapshots; safe beside a running server.',
  description: [
    'Makes <data-dir>/snapshots/<snapshot-id>, one consistent state with everything that was ' +
      'acknowledged before, and points <data-dir>/snapshots/latest at it. A server may go on ' +
      'meanwhile; only for the moments of copying, none can be started on the directory.',
    'The copy is read by a process of its own, every value of it, before it gets its name. It ' +
      'holds everything that the data directory holds, so keep it as secret.',
    'Of a database (--store-url) the snapshot is a data directory too, in the folder snapshots of ' +
      '--data-dir; `agentkeep copy-store` puts it into a database again.',
    'Restore it with `agentkeep restore`.',
  ],
  options: ['data_dir', 'store_url'],
  hasJson: true,
  examples: ['agentkeep snapshot --data-dir ./data', 'agentkeep snapshot --json'],
  run,
};

async function run({ io, options: { dataDir, storeUrl }, json }: Invocation): Promise<void> {
  const made = await withProgress(io, (onProgress) =>
    storeUrl === undefined
      ? snapshotDirectory({ dataDir, onProgress })
      : withDatabase(storeUrl, (store) => snapshotStore({ store, dataDir, onProgress })),
  );
  const text = `Snapshot ${made.snapshot_id}: ${made.size_bytes} bytes in ${made.path}`;
  await io.writeOut(`${json ? JSON.stringify(made) : text}\n`);
}
