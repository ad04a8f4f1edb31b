/** `agentkeep snapshot`: makes a consistent copy of a data directory, which may be in use. */
import { snapshotDirectory, snapshotStore } from '@agentkeep/core/operator';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { withDatabase } from './open-store.js';
import { withProgress } from '../output/progress-line.js';
import { jsonLine } from '../output/printable.js';

/** Works with or without a running server. */
export const snapshot: ServiceCommand = {
  name: 'snapshot',
  positionals: [],
  summary: 'Copy a data directory into its folder snapshots; safe beside a running server.',
  description: [
    'Makes <data-dir>/snapshots/<snapshot-id>, one consistent state with everything ' +
      'acknowledged before, and points <data-dir>/snapshots/latest at it. A server may keep ' +
      'running; while the copy is made, none can be started on the directory.',
    'A separate process reads every value of the copy before the copy gets its name. The copy ' +
      'holds everything that the data directory holds: keep it as secret.',
    'The snapshot of a database (--store-url) is a data directory too, in the folder ' +
      'snapshots of --data-dir; copy it back into a database with `agentkeep copy-store`.',
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
  await io.writeOut(json ? jsonLine(made) : `${text}\n`);
}
