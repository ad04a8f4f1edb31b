/** Rebuilds a state of a replication target in a folder that no store is opened from yet. */
import type { FramePoint } from '../../../storage/frames/frame.js';
import { ensureDirectory } from '../../../storage/lmdb-store/directory.js';
import { manifestOfFound } from '../../../storage/lmdb-store/found-store.js';
import { continueFramesAfter } from '../../../storage/lmdb-store/frame-point.js';
import { storeError } from '../../../storage/store/store-error.js';
import type { CheckReport } from '../../snapshot/check-messages.js';
import { checkStore } from '../../snapshot/check-process.js';
import type { OnProgress } from '../../snapshot/progress.js';
import { FrameApplier } from './apply-frames.js';
import { applySlots, type Progression } from './apply-slots.js';
import { type BaseCopy, fetchBaseCopy } from '../copies/base-copy.js';
import type { Moment } from './replica-moment.js';
import type { ReplicaTarget } from '../targets/replica-target.js';
import { lastSlot } from '../log/verify-slots.js';

/** Up to where a state is rebuilt. */
interface Rebuilding extends Moment {
  readonly onProgress?: OnProgress | undefined;
  /** Throws if the disk has no room for so many bytes more. */
  readonly requireRoom?: ((bytes: number) => void) | undefined;
}

/**
 * Writes a base copy into a folder and applies what follows in the log, up to a moment. Returns how
 * far that led.
 * @throws {AgentkeepError} as `fetchBaseCopy`, `applySlots` and `requireRoom` do.
 */
export async function rebuildReplica(
  target: ReplicaTarget,
  base: BaseCopy,
  staging: string,
  { onProgress, requireRoom, ...moment }: Rebuilding,
): Promise<Progression> {
  await ensureDirectory(staging);
  requireRoom?.(base.sizeBytes);
  await fetchBaseCopy(target, base, staging);
  const manifest = await manifestOfFound(staging);
  if (manifest.storeId !== base.store) {
    throw storeError('replica_foreign', `${base.name} has another store than its manifest says.`);
  }
  let reached: Progression = base;
  const end = moment.position ?? (await lastSlot(target))?.head.last.position ?? 0;
  const copy = await FrameApplier.open(staging, manifest, { isSynced: false });
  try {
    for await (const each of applySlots(target, copy, base, moment)) {
      reached = each;
      requireRoom?.(0);
      const done = each.last.position - base.last.position;
      onProgress?.({ phase: 'apply', done, total: Math.max(done, end - base.last.position) });
    }
  } finally {
    await copy.close();
  }
  return reached;
}

/**
 * Lets the frames of a rebuilt store continue after its last one, and reads every value of it.
 * @throws {AgentkeepError} `storage_inconsistency` if it does not verify.
 */
export async function verifyRebuilt(
  staging: string,
  last: FramePoint,
  onProgress: OnProgress | undefined,
): Promise<CheckReport> {
  await continueFramesAfter(staging, last);
  return checkStore({ directory: staging, onProgress });
}
