/**
 * Restores a moment from a replication target: the ledger of erasures first, then a base copy and
 * the frames after it, read whole by a separate process before anything is put in place.
 */
import { realpath, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { requireArguments } from '../../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { dataFileOf } from '../../../storage/lmdb-store/data-file.js';
import {
  ensureDirectory,
  freeBytes,
  makeUnfinishedDirectory,
} from '../../../storage/lmdb-store/directory.js';
import { fileFailure } from '../../../storage/lmdb-store/failure.js';
import { holdDirectory } from '../../../storage/lmdb-store/open-directories.js';
import { storeError } from '../../../storage/store/store-error.js';
import type { ContentReport } from '../../snapshot/content-tally.js';
import { assertEmpty, placeFiles } from '../../snapshot/place-files.js';
import type { OnProgress } from '../../snapshot/progress.js';
import type { Progression } from './apply-slots.js';
import { type BaseCopy, findBaseCopies, type FoundCopies } from '../copies/base-copy.js';
import { openReplicaTarget } from '../targets/open-replica-target.js';
import { basesFor, described, type Moment, unknownMoment } from './replica-moment.js';
import type { ReplicaTarget } from '../targets/replica-target.js';
import { readSlot } from '../log/verify-slots.js';
import { rebuildReplica, verifyRebuilt } from './rebuild-replica.js';
import { fetchLedgers } from '../copies/ship-ledger.js';

const MIB = 1_048_576;

/** What to restore from where. */
export interface ReplicaRestoreOptions extends Moment {
  /** Address of the target: a folder, or `s3://bucket/prefix`. */
  readonly from: string;
  /** An empty or absent directory. */
  readonly dataDir: string;
  /** Bytes that stay free on the disk of `dataDir`, else it is `store_full`. Default: 0. */
  readonly reserveBytes?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** The restored and verified state. */
export interface ReplicaRestoreReport {
  readonly contract_version: typeof CONTRACT_VERSION;
  readonly status: 'restored';
  readonly data_directory: string;
  readonly generation: number;
  /** Number of the last commit in it. */
  readonly position: number;
  /** Time of that commit; null before the first one. */
  readonly committed_at: string | null;
  /** Entries of each subspace. */
  readonly records: ContentReport['records'];
  readonly size_bytes: number;
}

/**
 * Restores a moment into an empty directory, which stays as it is until everything is checked.
 * Erasures that the target knows are done again when the directory is opened, and keys that were
 * destroyed stay destroyed.
 * @throws {AgentkeepError} `replica_moment_unknown` if the target does not have the moment;
 * `replica_damaged`, `replica_missing`, `replica_doubled`, `replica_foreign` or `replica_epoch` for
 * a part of the target that does not verify; `replica_unavailable`; `replica_unsuitable`;
 * `store_incompatible` if a later version wrote it; `directory_not_empty`; `store_in_use`;
 * `storage_inconsistency` if the result does not verify; `store_unavailable` if the disk fails.
 */
export async function restoreReplica(
  options: ReplicaRestoreOptions,
): Promise<ReplicaRestoreReport> {
  requireArguments('restoreReplica()', { options });
  const target = await openReplicaTarget(options.from);
  try {
    const found = await findBaseCopies(target);
    const { copies, damage } = found;
    if (copies.length === 0 && damage !== undefined) throw damage;
    const bases = basesFor(copies, options);
    await ensureDirectory(options.dataDir);
    const directory = await realpath(options.dataDir);
    await assertEmpty(directory);
    const release = await holdDirectory(directory);
    try {
      await fetchLedgers(target, directory);
      const request = { ...options, found };
      return await restoreFirst(target, bases, directory, request);
    } finally {
      release();
    }
  } catch (error) {
    throw fileFailure(error);
  } finally {
    await target.close();
  }
}

/** Restores from the first base copy whose generation reaches the moment. */
async function restoreFirst(
  target: ReplicaTarget,
  bases: readonly BaseCopy[],
  directory: string,
  options: ReplicaRestoreOptions & { readonly found: FoundCopies },
): Promise<ReplicaRestoreReport> {
  let failure: AgentkeepError | undefined;
  for (const base of bases) {
    const staging = await makeUnfinishedDirectory(directory);
    try {
      const requireRoom = roomIn(staging, options.reserveBytes);
      const reached = await rebuildReplica(target, base, staging, { ...options, requireRoom });
      if (options.position === undefined || reached.last.position === options.position) {
        await requireNewest(target, reached, options);
        return await finish(staging, directory, reached, options);
      }
      failure ??= unknownMoment(`The replication target ends with ${described(reached.last)}.`);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }
  throw failure ?? new Error('There is no base copy.');
}

/**
 * Refuses a state where a later generation may have the moment too, but no copy of it that leads
 * there verifies: what it would give is newer.
 * @throws {AgentkeepError} `replica_damaged`
 */
async function requireNewest(
  target: ReplicaTarget,
  reached: Progression,
  { generation, position, found }: Moment & { readonly found: FoundCopies },
): Promise<void> {
  const { damaged, damage } = found;
  const isHidden = damaged.some(
    (copy) => copy.generation > reached.generation && copy.position <= (position ?? Infinity),
  );
  if (generation !== undefined || !isHidden || damage === undefined) return;
  if (position !== undefined || (await isAtEnd(target, reached))) throw damage;
}

/** Whether a generation has no commit after the one that a restore has come to. */
async function isAtEnd(target: ReplicaTarget, { slot, last, generation }: Progression) {
  const [own, next] = [await readSlot(target, slot), await readSlot(target, slot + 1)];
  if (own !== undefined && own.head.last.position > last.position) return false;
  return next?.head.generation !== generation;
}

/** Returns what throws where less than a reserve would stay free. */
function roomIn(directory: string, reserveBytes = 0) {
  return (bytes: number): void => {
    const free = freeBytes(directory);
    if (free - bytes >= reserveBytes) return;
    const [has, takes, stays] = [free, bytes, reserveBytes].map((each) => Math.ceil(each / MIB));
    const detail = `The disk has ${has} MiB free; ${takes} MiB are needed, and ${stays} MiB stay free.`;
    throw storeError('store_full', detail);
  };
}

async function finish(
  staging: string,
  directory: string,
  { generation, last }: Progression,
  { dataDir, onProgress }: ReplicaRestoreOptions,
): Promise<ReplicaRestoreReport> {
  const { content } = await verifyRebuilt(staging, last, onProgress);
  const { size } = await stat(dataFileOf(staging));
  await placeFiles(staging, directory);
  return {
    contract_version: CONTRACT_VERSION,
    status: 'restored',
    data_directory: resolve(dataDir),
    generation,
    position: last.position,
    committed_at: last.position === 0 ? null : new Date(last.timeMs).toISOString(),
    records: content.records,
    size_bytes: size,
  };
}
