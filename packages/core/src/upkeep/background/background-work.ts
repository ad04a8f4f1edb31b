/** Work that a keep does in the background. */
import type { Runtime } from '../../kernel/services/runtime.js';
import type { ReadTx } from '../../storage/store/store.js';
import type { CopyBeyondReach } from '../erasure/certificate.js';
import type { ErasurePlan } from '../erasure/erasure-plan.js';
import { type ErasureParts, ErasureWorker } from '../erasure/erasure-worker.js';
import { reapplyErasures } from '../erasure/reapply-erasures.js';
import { ErasedKeys, type ErasedKeysParts } from '../sealing/erased-keys.js';
import { SealingWorker } from '../sealing/manage-keys.js';
import { ErasureLedger } from '../snapshot/erasure-ledger.js';
import { snapshotCopies, type SnapshotLocation } from '../snapshot/keep-snapshots.js';
import { SnapshotScheduler } from '../snapshot/schedule/snapshot-scheduler.js';

/** The parts that background work needs. */
type BackgroundParts = Pick<
  Runtime,
  'store' | 'audit' | 'clock' | 'entropy' | 'newId' | 'backend' | 'tokens' | 'heavyWork'
> &
  Pick<ErasureParts, 'knownNamespaces' | 'heldTexts' | 'dropHeldStates'> &
  SnapshotLocation & {
    readonly hasTenant: (tx: ReadTx, tenantId: string) => boolean;
    /** The keys of an encrypted store, and what seals it. */
    readonly sealing: Omit<ErasedKeysParts, 'isShared'> | undefined;
    /** Whether each commit is copied to a replication target. */
    readonly isReplicated: boolean;
  };

/** Returns what kernel and upkeep do in the background, beside what the domains do. */
export function backgroundOf(ports: BackgroundParts, plan: ErasurePlan) {
  const { store, schedule } = ports;
  const hasPlace = ports.dataDir !== undefined;
  const snapshots = hasPlace ? new SnapshotScheduler(ports, schedule) : undefined;
  const { sealing } = ports;
  const sealer = sealing && new SealingWorker(sealing.sealSlice);
  const keys = sealing && new ErasedKeys({ ...sealing, isShared: store.isShared });
  const copies = () => copiesBeyondReach(ports);
  const ledger = ports.dataDir === undefined ? undefined : new ErasureLedger(ports.dataDir);
  const erasures = new ErasureWorker({ ...ports, plan, copiesBeyondReach: copies, ledger, keys });
  return {
    /** Erases again what an older state of the store has brought back. Call it before all else. */
    erasedAgain: async (): Promise<void> => {
      const isDue = ledger !== undefined && (await againIn(ledger));
      if (isDue) await erasures.sweep();
      await erasures.completeLedger();
    },
    continueErasures: (): void => {
      erasures.wake();
    },
    sweepers: [erasures, ...[snapshots, sealer].filter((each) => each !== undefined)],
  };

  async function againIn(found: ErasureLedger): Promise<boolean> {
    await found.open();
    return reapplyErasures({ ...ports, plan }, found);
  }
}

/** Returns the snapshots beside the data, and what other copies there may be. */
async function copiesBeyondReach({
  dataDir,
  store,
  isReplicated,
}: Pick<BackgroundParts, 'store' | 'dataDir' | 'isReplicated'>): Promise<CopyBeyondReach[]> {
  const snapshots = dataDir === undefined ? [] : await snapshotCopies(dataDir);
  return [
    ...snapshots,
    { kind: 'audit_log' },
    { kind: 'audit_files' },
    ...(store.isShared ? [{ kind: 'database_backups' as const }] : []),
    ...(isReplicated ? [{ kind: 'replication_target' as const }] : []),
  ];
}
