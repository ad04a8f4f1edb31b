/** The copies of a store that an erasure does not reach. */
import type { SnapshotLocation } from '../snapshot/keep-snapshots.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import type { CopyBeyondReach } from '../erasure/certificate.js';
import { snapshotCopies } from '../snapshot/complete-snapshots.js';

/** Returns the snapshots beside the data, and what other copies there may be. */
export async function copiesBeyondReach({
  dataDir,
  store,
}: Pick<Runtime, 'store'> & Pick<SnapshotLocation, 'dataDir'>): Promise<CopyBeyondReach[]> {
  const snapshots = dataDir === undefined ? [] : await snapshotCopies(dataDir);
  return [
    ...snapshots,
    { kind: 'audit_log' },
    { kind: 'audit_files' },
    ...(store.isShared ? [{ kind: 'database_backups' as const }] : []),
  ];
}
