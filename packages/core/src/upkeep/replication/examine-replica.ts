/** Looks at a replication target from outside, for an operator. */
import { realpath } from 'node:fs/promises';
import { requireArguments } from '../../contract/errors/arguments.js';
import { manifestOfFound } from '../../storage/lmdb-store/found-store.js';
import { fileFailure } from '../../storage/lmdb-store/failure.js';
import { storeError } from '../../storage/store/store-error.js';
import { listBaseCopies } from './copies/base-copy.js';
import { findDirectoryId, refuseEmptied } from './directory-id.js';
import { openReplicaTarget } from './targets/open-replica-target.js';
import { readStandby } from './standby.js';
import { lastSlot } from './log/verify-slots.js';

/** Which target is looked at, and for which directory. */
export interface ReplicaLocation {
  /** Address of the target. */
  readonly target: string;
  /** A directory with a store, which a server may have open. */
  readonly dataDir: string;
}

/** What a replication target has. */
export interface ReplicaExamination {
  /** Whether the directory writes to the target, follows it, or another directory writes to it. */
  readonly role: 'writer' | 'standby' | 'other';
  readonly epoch: number;
  readonly generation: number;
  /** Number of the last commit in it. */
  readonly position: number;
  /** Time of that commit in Unix milliseconds; null before the first one. */
  readonly committedMs: number | null;
  /** When the newest whole copy of the generation was made; null if it has none yet. */
  readonly copyMs: number | null;
}

/**
 * Looks at a replication target, without opening the directory or changing anything. Returns
 * `undefined` for an empty target that the directory has not written to.
 * @throws {AgentkeepError} `replica_unavailable`, also for an empty one that it has written to; `replica_unsuitable`; `replica_foreign` if it is
 * that of another store; `replica_damaged` or `replica_missing` if its end does not verify;
 * `store_incompatible` if the directory has no store.
 */
export async function examineReplica(
  location: ReplicaLocation,
): Promise<ReplicaExamination | undefined> {
  requireArguments('examineReplica()', { location });
  const target = await openReplicaTarget(location.target);
  try {
    const directory = await realpath(location.dataDir);
    const { storeId } = await manifestOfFound(directory);
    const slot = await lastSlot(target);
    if (slot === undefined) {
      await refuseEmptied(directory, target.address);
      return undefined;
    }
    const { store, epoch, generation, last, directory: writer } = slot.head;
    if (store !== storeId) {
      throw storeError('replica_foreign', `${target.address} has the log of the store ${store}.`);
    }
    const isStandby = (await readStandby(directory)) !== undefined;
    const isWriter = writer === (await findDirectoryId(directory));
    const copies = await listBaseCopies(target);
    return {
      role: isStandby ? 'standby' : isWriter ? 'writer' : 'other',
      epoch,
      generation,
      position: last.position,
      committedMs: last.position === 0 ? null : last.timeMs,
      copyMs: copies.findLast((copy) => copy.generation === generation)?.madeMs ?? null,
    };
  } catch (error) {
    throw fileFailure(error);
  } finally {
    await target.close();
  }
}
