/** The copies of a store that an erasure does not reach. */
import type { Runtime } from '../../runtime/services/runtime.js';
import type { CopyBeyondReach } from '../erasure/certificate.js';
import { completeSnapshots } from '../snapshot/complete-snapshots.js';

/** Returns the snapshots beside the data, and what other copies there may be. */
export async function copiesBeyondReach({
  dataDir,
  store,
}: Pick<Runtime, 'dataDir' | 'store'>): Promise<CopyBeyondReach[]> {
  const { snapshots } =
    dataDir === undefined ? { snapshots: [] } : await completeSnapshots(dataDir);
  return [
    ...snapshots.map(({ snapshot_id: id, created_at }) => {
      return { kind: 'snapshot' as const, id, created_at };
    }),
    { kind: 'audit_log' },
    { kind: 'audit_files' },
    ...(store.isShared ? [{ kind: 'database_backups' as const }] : []),
  ];
}
