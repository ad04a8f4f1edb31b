/** The work of a keep in the background, apart from what follows each commit. */
import { randomUUID } from 'node:crypto';
import { BranchSweeper } from '../../domains/memory/branching/branch-sweeper.js';
import { ChangeSweeper } from '../../domains/memory/changes/change-sweeper.js';
import { MemorySweeper } from '../../domains/memory/sweep/memory-sweeper.js';
import { GrantSweeper } from '../../domains/people/connection/grant-sweeper.js';
import type { WebhookSender } from '../../kernel/ports/webhook-sender.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import { changeRetention } from '../../domains/webhooks/change-retention.js';
import { WebhookDeliverer } from '../../domains/webhooks/webhook-deliverer.js';
import { ErasureLedger } from '../snapshot/erasure-ledger.js';
import { ErasedKeys, type ErasedKeysParts } from '../sealing/erased-keys.js';
import { reapplyErasures } from '../erasure/reapply-erasures.js';
import { ErasureWorker } from '../erasure/erasure-worker.js';
import type { ScheduleSettings } from '../snapshot/schedule/snapshot-options.js';
import { SnapshotScheduler } from '../snapshot/schedule/snapshot-scheduler.js';
import { SealingWorker } from '../sealing/sealing-worker.js';
import { copiesBeyondReach } from './copies-beyond-reach.js';

/** The parts that background work needs. */
type BackgroundParts = Pick<
  Runtime,
  | 'store'
  | 'audit'
  | 'clock'
  | 'entropy'
  | 'newId'
  | 'backend'
  | 'dataDir'
  | 'tokens'
  | 'knownNamespaces'
  | 'heldViews'
  | 'heldTexts'
  | 'heavyWork'
> & {
  /** The keys of an encrypted store, and what seals it. */
  readonly sealing: Omit<ErasedKeysParts, 'isShared'> | undefined;
};

/** The settings of background work. */
interface BackgroundSettings {
  readonly retentionMs: number;
  readonly snapshots: ScheduleSettings | undefined;
}

/** Returns the sweepers that calls wake, with the ports that wake them, and others. */
export function backgroundOf(
  ports: BackgroundParts,
  { webhookSender: sender }: { readonly webhookSender?: WebhookSender },
  { retentionMs, snapshots: schedule }: BackgroundSettings,
) {
  const { store, clock } = ports;
  const grants = new GrantSweeper(ports);
  const memory = new MemorySweeper(ports);
  const retentionOf = changeRetention(retentionMs);
  const oldChanges = new ChangeSweeper({ store, clock, retentionOf });
  const branches = new BranchSweeper({ store, clock });
  const snapshots = schedule && new SnapshotScheduler(ports, schedule);
  const { sealing } = ports;
  const sealer = sealing && new SealingWorker(sealing.sealSlice);
  const keys = sealing && new ErasedKeys({ ...sealing, isShared: store.isShared });
  const copies = () => copiesBeyondReach(ports);
  const ledger = ports.dataDir === undefined ? undefined : new ErasureLedger(ports.dataDir);
  const erasures = new ErasureWorker({ ...ports, copiesBeyondReach: copies, ledger, keys });
  const webhooks = sender && new WebhookDeliverer({ ...ports, sender, holder: randomUUID() });
  return {
    /** Erases again what an older state of the store has brought back. Call it before all else. */
    erasedAgain: async (): Promise<void> => {
      await ledger?.open();
      if (ledger !== undefined && (await reapplyErasures(store, ledger))) await erasures.sweep();
      await erasures.completeLedger();
    },
    ports: {
      sweepMemory: () => {
        memory.wake();
        branches.wake();
      },
      continueErasures: () => {
        erasures.wake();
      },
      deliverWebhooks: () => {
        webhooks?.deliverSoon();
      },
    },
    sweepers: [
      ...[oldChanges, branches, grants, memory, erasures],
      ...[webhooks, snapshots, sealer].filter((each) => each !== undefined),
    ],
  };
}
