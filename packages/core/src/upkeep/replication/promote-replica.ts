/** Lets a data directory that was restored from a target, or follows it, write to the target. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { requireArguments } from '../../contract/errors/arguments.js';
import { LEVELS } from '../../contract/levels.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { requireLevel } from '../../kernel/installation/level-store.js';
import { fileFailure } from '../../storage/lmdb-store/failure.js';
import { manifestOfFound } from '../../storage/lmdb-store/found-store.js';
import { framePointIn, hasFrameGapIn } from '../../storage/lmdb-store/frame-point.js';
import { holdDirectory } from '../../storage/lmdb-store/open-directories.js';
import { withFoundStore } from '../../storage/lmdb-store/with-found-store.js';
import { NO_FRAME } from '../../storage/frames/frame.js';
import { storeError } from '../../storage/store/store-error.js';
import { directoryId, noteWrittenTo } from './directory-id.js';
import { openReplicaTarget } from './targets/open-replica-target.js';
import { ReplicaLog } from './log/replica-log.js';
import { fetchLedgers } from './copies/ship-ledger.js';
import { unmarkStandby } from './standby.js';
import type { LogTip } from './log/verify-slots.js';

/** Which directory is to write to which target. */
export interface PromotionOptions {
  /** Address of the target. */
  readonly target: string;
  /** A directory that no process has open. */
  readonly dataDir: string;
  /**
   * Whether a directory that lacks the newest commits of the target may take it over, with a
   * generation of its own. Those commits can still be restored. Default: false.
   */
  readonly newGeneration?: boolean | undefined;
}

/** What a directory took over. */
export interface PromotionReport {
  readonly contract_version: typeof CONTRACT_VERSION;
  readonly status: 'promoted';
  readonly data_directory: string;
  readonly epoch: number;
  readonly generation: number;
  /** Number of the last commit that it has. */
  readonly position: number;
}

/**
 * Lets a data directory write to a target from its next opening on. The directory that wrote to it
 * before is fenced. Does nothing if this one writes to it already and has its last commit.
 * @throws {AgentkeepError} `replica_behind` if the target has later commits, unless `newGeneration`
 * is given; `replica_foreign` if it is that of another store; `replica_unavailable`;
 * `store_incompatible` if there is no store, or it has a feature level that this version doesn't
 * support; `store_in_use` if this process has it open.
 */
export async function promoteReplica(options: PromotionOptions): Promise<PromotionReport> {
  requireArguments('promoteReplica()', { options });
  const { dataDir, newGeneration = false } = options;
  const { storeId: store } = await manifestOfFound(dataDir);
  // The directory that writes to the target goes on if this version can't take over from it.
  await withFoundStore(dataDir, (found) => found.read((tx) => requireLevel(tx, LEVELS)));
  const target = await openReplicaTarget(options.target);
  try {
    const path = await realpath(dataDir);
    const release = await holdDirectory(path);
    try {
      const last = (await framePointIn(path)) ?? NO_FRAME;
      const log = await ReplicaLog.open({ target, store, directory: await directoryId(path) });
      if (!log.isOurs || (await lacksEnd(path, log.tip))) {
        const isNew = newGeneration || log.tip === undefined;
        if (!isNew && (await hasFrameGapIn(path))) {
          throw storeError('replica_behind', `${path} was written to without replication.`);
        }
        await log.claim({ last, generation: isNew ? 'next' : 'same' });
      }
      await noteWrittenTo(path, target.address);
      // What was erased after the last frame that the directory has.
      await fetchLedgers(target, path);
      await unmarkStandby(path);
      const { epoch = 0, generation = 0 } = log.tip ?? {};
      return {
        contract_version: CONTRACT_VERSION,
        status: 'promoted',
        data_directory: resolve(dataDir),
        epoch,
        generation,
        position: last.position,
      };
    } finally {
      release();
    }
  } catch (error) {
    throw fileFailure(error);
  } finally {
    await target.close();
  }
}

/** Whether the log goes on where a directory that wrote to it doesn't: it lost its last commits. */
async function lacksEnd(directory: string, tip: LogTip | undefined): Promise<boolean> {
  if (tip === undefined || (await hasFrameGapIn(directory))) return false;
  const last = (await framePointIn(directory)) ?? NO_FRAME;
  if (last.position < tip.last.position) return true;
  const own = await framePointIn(directory, tip.last.position);
  // A frame that is not kept any more is one that was sent.
  return own !== undefined && own.digest !== tip.last.digest;
}
