/** The data directory of a follower: gets whole copies and frames, and says how far it has come. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import { dataFileOf } from '../../storage/lmdb-store/data-file.js';
import { makeUnfinishedDirectory, removeUnfinished } from '../../storage/lmdb-store/directory.js';
import { manifestOfFound } from '../../storage/lmdb-store/found-store.js';
import { framePointIn, hasFrameGapIn } from '../../storage/lmdb-store/frame-point.js';
import { storeError } from '../../storage/store/store-error.js';
import { assertEmpty, replaceFiles } from '../snapshot/place-files.js';
import type { OnProgress } from '../snapshot/progress.js';
import { FrameApplier } from './restore/apply-frames.js';
import { applySlots, type Progression } from './restore/apply-slots.js';
import type { ReplicaTarget } from './targets/replica-target.js';
import { rebuildReplica, verifyRebuilt } from './restore/rebuild-replica.js';
import { fetchLedgers } from './copies/ship-ledger.js';
import { markStandby, readStandby } from './standby.js';
import {
  hasSlotsAfter,
  isRemoved,
  newestCopyAfter,
  placeAfter,
  placeByCopies,
} from './standby-place.js';
import { lastSlot, readSlot } from './log/verify-slots.js';

/** A directory that is held by this process. */
export class StandbyCopy {
  readonly #target: ReplicaTarget;
  readonly #directory: string;
  readonly #onProgress: OnProgress | undefined;
  readonly #ledgers = new Set<string>();
  #copy: FrameApplier | undefined;
  #at: Progression | undefined;
  #isEnded = false;

  private constructor(target: ReplicaTarget, directory: string, onProgress?: OnProgress) {
    this.#target = target;
    this.#directory = directory;
    this.#onProgress = onProgress;
  }

  /**
   * Opens a directory that is empty, follows the target already, or has a state of it. It is marked
   * as a standby from then on.
   * @throws {AgentkeepError} `directory_not_empty`; `replica_foreign` if it has another store;
   * `store_incompatible` if the target lacks its last commit; `store_in_use`; as `slotsAfter` does.
   */
  static async open(
    target: ReplicaTarget,
    directory: string,
    onProgress?: OnProgress,
  ): Promise<StandbyCopy> {
    const made = new StandbyCopy(target, directory, onProgress);
    const mark = await readStandby(directory);
    const hasStore = existsSync(dataFileOf(directory));
    if (mark === undefined && !hasStore) await assertEmpty(directory);
    // An interrupted call can have been putting a whole copy in place.
    if (mark === null || !hasStore) await removeUnfinished(directory);
    else await made.#find(mark?.slot, mark?.generation);
    return made;
  }

  /** How far the directory has come; `undefined` before its first whole copy. */
  get at(): Progression | undefined {
    return this.#at;
  }

  /** Whether the log has more than this directory. */
  hasMore(): Promise<boolean> {
    const { slot } = this.#at ?? {};
    return slot === undefined ? Promise.resolve(true) : hasSlotsAfter(this.#target, slot);
  }

  /**
   * Brings the directory to the end of the log. Calls back after each slot.
   * @throws {AgentkeepError} `replica_moment_unknown` if there is no whole copy to go on from yet;
   * as `applySlots` and `fetchBaseCopy` do. Call it again then.
   */
  async catchUp(applied: () => void): Promise<void> {
    await fetchLedgers(this.#target, this.#directory, this.#ledgers);
    while (!this.#isEnded) {
      const at = this.#at ?? (await this.#rebuild(-1));
      if (!(await this.#apply(at, applied))) {
        await this.#rebuild(at.slot);
        applied();
        continue;
      }
      const next = await readSlot(this.#target, (this.#at?.slot ?? at.slot) + 1);
      if (next === undefined) return;
      if (next.head.generation !== at.generation) await this.#rebuild(next.head.slot - 1);
    }
  }

  /** Ends {@link catchUp} after the slot that it applies. */
  end(): void {
    this.#isEnded = true;
  }

  /** Closes the directory. Everything that was applied is durable. */
  async close(): Promise<void> {
    await this.#copy?.close();
    this.#copy = undefined;
  }

  /** Finds the place of the directory in the log. */
  async #find(slot: number | undefined, generation: number | undefined): Promise<void> {
    const { storeId: store } = await manifestOfFound(this.#directory);
    const found = (await lastSlot(this.#target))?.head.store;
    if (found !== undefined && found !== store) {
      throw storeError('replica_foreign', `${this.#target.address} has the log of ${found}.`);
    }
    const hasGap = await hasFrameGapIn(this.#directory);
    const last = hasGap ? undefined : await framePointIn(this.#directory);
    if (slot === undefined || generation === undefined || last === undefined) {
      this.#at = await placeByCopies(this.#target, store, last);
    } else if (await isRemoved(this.#target, slot)) {
      this.#at = { store, generation, slot, last };
    } else this.#at = await placeAfter(this.#target, { store, generation, slot }, last);
    await this.#open();
    await removeUnfinished(this.#directory);
    await markStandby(this.#directory, { generation: this.#at.generation, slot: this.#at.slot });
  }

  /** Applies what follows. Returns whether the log had it, instead of having removed it. */
  async #apply(from: Progression, applied: () => void): Promise<boolean> {
    const copy = this.#copy ?? (await this.#open());
    try {
      for await (const each of applySlots(this.#target, copy, from)) {
        this.#at = each;
        applied();
        if (this.#isEnded) break;
      }
    } catch (error) {
      const slot = this.#at?.slot ?? 0;
      if (!hasCode(error, 'replica_missing') || !(await isRemoved(this.#target, slot))) throw error;
      return false;
    }
    const { slot, generation } = this.#at ?? from;
    if (slot !== from.slot) await markStandby(this.#directory, { generation, slot });
    return true;
  }

  /** Puts a newer whole copy, and what follows it, in the place of the store. */
  async #rebuild(afterSlot: number): Promise<Progression> {
    const base = await newestCopyAfter(this.#target, afterSlot);
    const staging = await makeUnfinishedDirectory(this.#directory);
    try {
      const onProgress = this.#onProgress;
      const reached = await rebuildReplica(this.#target, base, staging, { onProgress });
      await verifyRebuilt(staging, reached.last, onProgress);
      // From here until the next mark, an interrupted call begins anew.
      await markStandby(this.#directory, null);
      // Refuses a store that another process has open.
      if (existsSync(dataFileOf(this.#directory)) && this.#copy === undefined) await this.#open();
      await this.close();
      await replaceFiles(staging, this.#directory);
      this.#at = { ...reached };
      await this.#open();
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
    const { generation, slot } = this.#at;
    await markStandby(this.#directory, { generation, slot });
    return this.#at;
  }

  async #open(): Promise<FrameApplier> {
    const manifest = await manifestOfFound(this.#directory);
    this.#copy = await FrameApplier.open(this.#directory, manifest, { isSynced: true });
    return this.#copy;
  }
}
