/** Opens a store on disk that is copied to a replication target while it is open. */
import type { Clock } from '../../kernel/ports/clock.js';
import type { FrameFeed } from '../../storage/frames/frame-log.js';
import { freeBytes } from '../../storage/lmdb-store/directory.js';
import { RESERVE_BYTES } from '../../storage/lmdb-store/group-commit.js';
import { readManifest } from '../../storage/lmdb-store/manifest.js';
import {
  type FramedStore,
  type LmdbStoreOptions,
  openFramedStore,
} from '../../storage/lmdb-store/open-lmdb-store.js';
import { storeError } from '../../storage/store/store-error.js';
import { checkStore } from '../snapshot/check-process.js';
import { BaseCopies, type BaseCopyParts } from './copies/base-renewal.js';
import { directoryId, noteWrittenTo, refuseEmptied } from './directory-id.js';
import { openReplicaTarget } from './targets/open-replica-target.js';
import { ReplicaLog } from './log/replica-log.js';
import type { ReplicaTarget } from './targets/replica-target.js';
import { ReplicatedStore } from './replicated-store.js';
import type { ReplicationSettings } from './replication-options.js';
import { type AttachedTarget, Shipper } from './shipper.js';

/** What replication needs from outside. */
export interface ReplicatePorts {
  readonly clock: Clock;
  /** Opens a target by its address. Default: {@link openReplicaTarget}. */
  readonly openTarget?: (address: string) => Promise<ReplicaTarget>;
  /** Checks a whole copy before it is sent. Default: {@link checkStore}. */
  readonly check?: (directory: string) => Promise<unknown>;
}

/**
 * Opens a store and begins to send its commits. A target that is away is tried again later.
 * @throws {AgentkeepError} as `openLmdbStore`; `replica_fenced` if another data directory writes to
 * the target; `replica_foreign` if it has another store; `replica_unsuitable` if it can be none.
 */
export async function openReplicated(
  options: LmdbStoreOptions,
  settings: ReplicationSettings,
  ports: ReplicatePorts,
): Promise<ReplicatedStore> {
  const { clock, openTarget = openReplicaTarget } = ports;
  const check = ports.check ?? ((directory: string) => checkStore({ directory }));
  const { store, frames } = await openFramedStore(options, () => clock.now());
  const attach = async (): Promise<AttachedTarget> => {
    const target = await openTarget(settings.target);
    try {
      return await attached(target, { store, frames }, options.directory, {
        ...{ settings, clock, check },
      });
    } catch (error) {
      await target.close().catch(() => undefined);
      throw error;
    }
  };
  const settle = (): Promise<void> => store.transact(() => undefined);
  const { reserveBytes = RESERVE_BYTES } = options;
  const hasRoom = (): boolean => freeBytes(options.directory) >= 2 * reserveBytes;
  const shipper = new Shipper({ frames, settings, clock, attach, hasRoom, settle });
  try {
    await shipper.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  return new ReplicatedStore(store, frames, shipper);
}

async function attached(
  target: ReplicaTarget,
  { store, frames }: FramedStore,
  dataDir: string,
  parts: Pick<BaseCopyParts, 'clock' | 'check' | 'settings'>,
): Promise<AttachedTarget> {
  const manifest = await readManifest(dataDir);
  if (manifest === undefined) throw storeError('store_incompatible', `${dataDir} has no manifest.`);
  const { storeId } = manifest;
  const directory = await directoryId(dataDir);
  const log = await ReplicaLog.open({ target, store: storeId, directory });
  if (log.tip === undefined) await refuseEmptied(dataDir, target.address);
  await resumeLog(log, frames);
  await noteWrittenTo(dataDir, target.address);
  const backup = (into: string): Promise<void> => store.backup(into);
  const copyParts = { target, store: storeId, dataDir, backup, ...parts };
  return { target, log, copies: await BaseCopies.open(copyParts, log.tip?.generation) };
}

/** Continues the log of a target, or begins a generation where the frames don't continue it. */
async function resumeLog(log: ReplicaLog, frames: FrameFeed): Promise<void> {
  const { tip } = log;
  if (tip === undefined) return log.claim({ last: frames.kept, generation: 'next' });
  if (!log.isOurs) throw log.fence();
  const { position, digest } = tip.last;
  const known = frames.pointAt(position);
  if (known?.digest === digest && (frames.hasGap || position >= frames.kept.position)) {
    // Sent by a process that ended before it could note it.
    if (position > frames.kept.position) frames.noteShipped(tip.last, 0);
    return;
  }
  // The target lost its last slots, as one does that was put back from a copy of its own.
  if (position < frames.shipped.position) {
    return log.claim({ last: frames.kept, generation: 'next' });
  }
  // Frames that were dropped can't be compared.
  const isDropped = frames.hasGap && known === undefined && position <= frames.kept.position;
  if (!isDropped) throw log.fence();
}
