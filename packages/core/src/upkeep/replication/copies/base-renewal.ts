/** The whole copies of a store in a replication target: when they are made, and which are kept. */
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../kernel/ports/clock.js';
import { makeUnfinishedDirectory } from '../../../storage/lmdb-store/directory.js';
import { framePointIn } from '../../../storage/lmdb-store/frame-point.js';
import { storeError } from '../../../storage/store/store-error.js';
import { LEDGER_FILE } from '../../snapshot/erasure-ledger.js';
import {
  type BaseCopy,
  createBaseCopy,
  findBaseCopies,
  listUnfinishedCopies,
  removeBaseCopy,
} from './base-copy.js';
import type { ReplicaLog } from '../log/replica-log.js';
import { slotOfName } from '../log/replica-slot.js';
import type { ReplicationSettings } from '../replication-options.js';
import { LISTED_NAMES_MAX, type ReplicaTarget } from '../targets/replica-target.js';
import { shipLedger } from './ship-ledger.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Bytes of frames after which a new copy makes a restore faster, if they are twice its own too. */
const RENEWED_BYTES_MIN = 67_108_864;

/** Wait after a copy that failed, in milliseconds, which doubles up to the longest one. */
const RETRY_MS = 30_000;
const RETRY_MAX_MS = 480_000;

/** Slots that are removed at once. */
const REMOVED_AT_ONCE = 16;

/** What whole copies are made with. */
export interface BaseCopyParts {
  readonly target: ReplicaTarget;
  /** Id of the store. */
  readonly store: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly settings: Pick<ReplicationSettings, 'days' | 'copyHours'>;
  /** Copies the current store into an empty directory. */
  readonly backup: (directory: string) => Promise<void>;
  /** Reads every entry of a copy, and throws if one does not verify. */
  readonly check: (directory: string) => Promise<unknown>;
}

/** The whole copies of one target. */
export class BaseCopies {
  readonly #parts: BaseCopyParts;
  #newest: BaseCopy | undefined;
  #isComplete: boolean;
  #shippedBytes = 0;
  #ledger: string | undefined;
  /** Copies that failed, one after the other. */
  #failures = 0;
  #isStopped = false;

  private constructor(parts: BaseCopyParts, newest: BaseCopy | undefined, isComplete: boolean) {
    this.#parts = parts;
    this.#newest = newest;
    this.#isComplete = isComplete;
  }

  /** Finds the copies of a target; `generation` is that of the log. */
  static async open(parts: BaseCopyParts, generation: number | undefined): Promise<BaseCopies> {
    const { copies } = await findBaseCopies(parts.target);
    const isComplete = copies.some((copy) => copy.generation === generation);
    return new BaseCopies(parts, copies.at(-1), isComplete);
  }

  /** Whether the generation that is written has a copy, so that it can be restored. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** When the newest copy was made, in Unix milliseconds. */
  get newestMs(): number | undefined {
    return this.#newest?.madeMs;
  }

  /** How long to wait after a failure, in milliseconds: a copy reads the whole store. */
  get retryMs(): number {
    return Math.min(RETRY_MS * 2 ** Math.max(0, this.#failures - 1), RETRY_MAX_MS);
  }

  /** Ends the removal of what is too old, which goes on after the next opening. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Notes that a generation has begun, which has no copy yet. */
  begin(): void {
    this.#isComplete = false;
  }

  /** Counts bytes of frames that were sent. */
  noteShipped(bytes: number): void {
    this.#shippedBytes += bytes;
  }

  /** Sends the ledger of erasures, if it has changed. */
  async shipLedger(): Promise<void> {
    const { target, dataDir } = this.#parts;
    // The data directory is on a local disk, and this is asked before each segment.
    const found = statSync(join(dataDir, LEDGER_FILE), { throwIfNoEntry: false });
    const ledger = found && `${String(found.ino)} ${String(found.mtimeMs)} ${String(found.size)}`;
    if (ledger === undefined || ledger === this.#ledger) return;
    await shipLedger(target, dataDir);
    this.#ledger = ledger;
  }

  /**
   * Removes copies that are not needed any more, and makes one if it is due. `untilSent` resolves
   * once the log has a frame: a copy never says what the log doesn't. Returns whether a copy was
   * made.
   */
  async renew(log: ReplicaLog, untilSent: (position: number) => Promise<void>): Promise<boolean> {
    // First, because a target that is full has no room for another copy.
    await this.removeOld();
    if (!this.#isDue) return false;
    try {
      await this.#make(log, untilSent);
      this.#failures = 0;
      return true;
    } catch (error) {
      this.#failures += 1;
      throw error;
    }
  }

  get #isDue(): boolean {
    const { clock, settings } = this.#parts;
    const newest = this.#newest;
    if (!this.#isComplete || newest === undefined) return true;
    if (this.#shippedBytes === 0) return false;
    const isOld = clock.now() - newest.madeMs >= settings.copyHours * HOUR_MS;
    return isOld || this.#shippedBytes >= Math.max(RENEWED_BYTES_MIN, 2 * newest.sizeBytes);
  }

  async #make(log: ReplicaLog, untilSent: (position: number) => Promise<void>): Promise<void> {
    const { target, store, dataDir, clock, backup, check } = this.#parts;
    // Of before the copy: what is sent meanwhile may not be in it.
    const { tip } = log;
    if (tip === undefined) return;
    const shippedBytes = this.#shippedBytes;
    const directory = await makeUnfinishedDirectory(dataDir, 'replica');
    try {
      const madeMs = clock.now();
      await backup(directory);
      await check(directory);
      const last = await framePointIn(directory);
      if (last === undefined) throw storeError('storage_inconsistency', 'A copy has no frames.');
      await untilSent(last.position);
      const { slot, generation } = tip;
      const copy = { store, generation, slot, last, madeMs };
      this.#newest = await createBaseCopy(target, directory, copy);
      if (log.tip?.generation === generation) this.#isComplete = true;
      this.#shippedBytes -= shippedBytes;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /**
   * Removes the copies that no moment of the stated days needs, the slots before the rest, and what
   * killed processes left of copies a day before the newest one was made. A copy that does not
   * verify doesn't count, and goes with those that are too old.
   */
  async removeOld(): Promise<void> {
    const { target, clock, settings } = this.#parts;
    const { copies, damaged } = await findBaseCopies(target);
    // One that was damaged meanwhile is none, so the next one is due earlier.
    this.#newest = copies.at(-1);
    const firstMs = clock.now() - settings.days * DAY_MS;
    const needed = copies.findLastIndex(({ madeMs }) => madeMs <= firstMs);
    const at = Math.max(0, needed);
    for (const copy of copies.slice(0, at)) await removeBaseCopy(target, copy);
    const first = copies[needed]?.name ?? '';
    for (const copy of damaged) if (copy.name < first) await removeBaseCopy(target, copy);
    // Its writer may live, if no later copy has been there for long.
    const later = copies.findLast(({ madeMs }) => clock.now() - madeMs >= DAY_MS);
    for (const name of later === undefined ? [] : await listUnfinishedCopies(target)) {
      if (later !== undefined && name < later.name) await removeBaseCopy(target, { name });
    }
    const oldest = copies[at];
    if (oldest !== undefined) await this.#removeSlots(oldest.slot);
  }

  async #removeSlots(before: number): Promise<void> {
    const { target } = this.#parts;
    for (;;) {
      const names = await target.list('log/');
      const old = names.filter((name) => slotOfName(name) < before);
      for (let at = 0; at < old.length; at += REMOVED_AT_ONCE) {
        if (this.#isStopped) return;
        await Promise.all(old.slice(at, at + REMOVED_AT_ONCE).map((name) => target.remove(name)));
      }
      if (old.length < LISTED_NAMES_MAX) return;
    }
  }
}
