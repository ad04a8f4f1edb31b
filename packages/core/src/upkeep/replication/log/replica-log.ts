/**
 * The log of a replication target: slots that are only ever created, so of two writers exactly one
 * gets the next slot. A data directory takes the log over by a claim in the next slot, and the one
 * that wrote before finds its next slot taken: it is fenced (docs/adr/0114).
 */
import { randomUUID } from 'node:crypto';
import { AgentkeepError, hasCode } from '../../../contract/errors/agentkeep-error.js';
import { digestOfFrame, frameHead, type FramePoint } from '../../../storage/frames/frame.js';
import { storeError } from '../../../storage/store/store-error.js';
import type { ReplicaTarget } from '../targets/replica-target.js';
import {
  encodeClaim,
  type EncodedSlot,
  encodeSegment,
  NO_SLOT_DIGEST,
  type Slot,
  slotName,
} from './replica-slot.js';
import { lastSlot, type LogTip, missingSlot, readSlot, slotsAfter, tipAt } from './verify-slots.js';

/** Claims that are tried while another directory goes on appending. */
const CLAIMS_MAX = 64;

/** Whose log is opened, and where. */
export interface LogOptions {
  readonly target: ReplicaTarget;
  /** Id of the store. */
  readonly store: string;
  /** Id of the data directory, which no copy of it has. */
  readonly directory: string;
}

/** Where a claim continues. */
export interface ClaimFrom {
  /** The last frame of the data directory. */
  readonly last: FramePoint;
  /**
   * `same` continues the frames of the log, of which `last` must be the last one. `next` begins a
   * generation, which can be restored once it has a base copy.
   */
  readonly generation: 'same' | 'next';
}

/** An open log. One call at a time. */
export class ReplicaLog {
  readonly #target: ReplicaTarget;
  readonly #store: string;
  readonly #directory: string;
  #tip: LogTip | undefined;
  #fenced: AgentkeepError | undefined;

  private constructor({ target, store, directory }: LogOptions, tip: LogTip | undefined) {
    this.#target = target;
    this.#store = store;
    this.#directory = directory;
    this.#tip = tip;
  }

  /**
   * Opens the log of a target.
   * @throws {AgentkeepError} `replica_foreign` if it is that of another store; `replica_damaged`
   * or `replica_missing` if its last slot does not verify; `replica_unavailable`.
   */
  static async open(options: LogOptions): Promise<ReplicaLog> {
    const last = await lastSlot(options.target);
    if (last !== undefined && last.head.store !== options.store) {
      const detail = `${options.target.address} has the log of the store ${last.head.store}.`;
      throw storeError('replica_foreign', detail);
    }
    return new ReplicaLog(options, last && tipAt(last));
  }

  /** The end of the log as this writer knows it; `undefined` for an empty target. */
  get tip(): LogTip | undefined {
    return this.#tip;
  }

  /** Whether the directory of this writer made the last claim. */
  get isOurs(): boolean {
    return this.#fenced === undefined && this.#tip?.directory === this.#directory;
  }

  /**
   * Takes the log over: the directory that wrote before is fenced from its next slot on.
   * @throws {AgentkeepError} `replica_behind` if frames of the same generation follow the last one
   * of this directory; `replica_fenced` if other directories claim it all the time.
   */
  async claim({ last, generation }: ClaimFrom): Promise<void> {
    for (let tries = 0; tries < CLAIMS_MAX; tries += 1) {
      const tip = this.#tip;
      if (generation === 'same') requireReached(last, tip);
      const attempt = randomUUID();
      const claim = encodeClaim({
        ...this.#next(tip),
        epoch: (tip?.epoch ?? 0) + 1,
        generation: (tip?.generation ?? 0) + (generation === 'next' ? 1 : 0),
        attempt,
        last,
      });
      const made = await this.#create(claim);
      this.#tip = tipAt(made.slot);
      const { head } = made.slot;
      if (made.isNew || (head.kind === 'claim' && head.attempt === attempt)) {
        this.#fenced = undefined;
        return;
      }
    }
    throw this.fence();
  }

  /**
   * Appends the frames that the log does not have yet, as one slot. They begin at the next position
   * or before it. After `replica_unavailable` call it again with the same frames, or more.
   * @throws {AgentkeepError} `replica_fenced` if another directory writes to the log, and from then
   * on always; `replica_unavailable`, after which they may be in the log.
   */
  async append(frames: readonly Uint8Array[]): Promise<void> {
    for (;;) {
      const tip = this.#requireOurs();
      if (frames.length === 0) return;
      const rest = framesAfter(frames, tip.last);
      if (rest === undefined) throw this.fence();
      if (rest.length === 0) return;
      const { epoch, generation } = tip;
      const segment = await encodeSegment({ ...this.#next(tip), epoch, generation }, rest);
      const made = await this.#create(segment).catch((error: unknown) => {
        // This program writes no such slot, so another one did.
        throw hasCode(error, 'store_incompatible') ? this.fence('later') : error;
      });
      // The slot may be that of an earlier call whose answer was lost.
      const isOwn = made.isNew || this.#isOwn(made.slot, tip, rest);
      this.#tip = tipAt(made.slot);
      if (!isOwn) throw this.fence();
    }
  }

  /** Reads the verified slots after one; see {@link slotsAfter}. */
  read(after: number): AsyncIterable<Slot> {
    return slotsAfter(this.#target, after, this.#store);
  }

  /**
   * Ends this writer, because the log has something at its end that is not its own: the last slot
   * that it knows, or one of a later version after it.
   */
  fence(by: 'known' | 'later' = 'known'): AgentkeepError {
    const { epoch = 0, directory, slot = 0 } = this.#tip ?? {};
    const at = `slot ${slot} in epoch ${epoch}`;
    const other =
      by === 'later'
        ? `A later version of Agentkeep writes to this replication target, after ${at}`
        : `The data directory ${String(directory)} writes to this replication target, since ${at}`;
    const isCopy = by === 'known' && directory === this.#directory;
    const message = isCopy
      ? `A copy of this data directory writes to this replication target, since ${at}, or this ` +
        'directory lost commits that it had sent, as a relaxed one may by a loss of power. It ' +
        'writes nothing more there. Serve only one of two copies. If it is the only one, stop the ' +
        'server, fetch the commits with `agentkeep follow --once`, then `agentkeep promote`; or ' +
        'go on without them with `agentkeep promote --new-generation`.'
      : `${other}, so this one writes nothing more to it. Serve only one of the two: stop this ` +
        'server, or name another target for it.';
    this.#fenced = new AgentkeepError('replica_fenced', { message });
    return this.#fenced;
  }

  #requireOurs(): LogTip {
    if (this.#fenced !== undefined) throw this.#fenced;
    const tip = this.#tip;
    if (tip === undefined) throw new RangeError('The log has no claim yet.');
    if (tip.directory !== this.#directory) throw this.fence();
    return tip;
  }

  #next(tip: LogTip | undefined) {
    return {
      slot: (tip?.slot ?? 0) + 1,
      store: this.#store,
      directory: this.#directory,
      previous: tip?.digest ?? NO_SLOT_DIGEST,
    };
  }

  /** Creates a slot, or reads the one that is there. */
  async #create({ bytes, ...own }: EncodedSlot): Promise<{ slot: Slot; isNew: boolean }> {
    const number = own.head.slot;
    const isNew = await this.#target.create(slotName(number), bytes);
    if (isNew) return { slot: own, isNew };
    const slot = await readSlot(this.#target, number);
    if (slot === undefined) throw missingSlot(number);
    if (slot.head.store === this.#store) return { slot, isNew };
    throw storeError('replica_foreign', `${slotName(number)} belongs to another store.`);
  }

  /** Whether a slot has frames of this directory: its last one has the digest of one of them. */
  #isOwn({ head }: Slot, tip: LogTip, rest: readonly Uint8Array[]): boolean {
    if (head.kind === 'claim' || head.directory !== this.#directory) return false;
    const last = rest[head.last.position - tip.last.position - 1];
    return (
      head.epoch === tip.epoch && last !== undefined && digestOfFrame(last) === head.last.digest
    );
  }
}

function requireReached(last: FramePoint, tip: LogTip | undefined): void {
  if (tip === undefined) throw new RangeError('The first claim begins a generation.');
  if (tip.last.position === last.position && tip.last.digest === last.digest) return;
  const detail =
    `The log of the target ends with the frame ${tip.last.position}, the data directory with ` +
    `${last.position}.`;
  throw storeError('replica_behind', detail);
}

/**
 * Returns the frames after a point of their chain; `undefined` if they are of another chain. The
 * first one after the point must have the next position.
 */
function framesAfter(
  frames: readonly Uint8Array[],
  last: FramePoint,
): readonly Uint8Array[] | undefined {
  const positions = frames.map((frame) => frameHead(frame).position);
  const at = positions.findIndex((position) => position > last.position);
  const [reached, next] = at === -1 ? [frames.at(-1)] : [frames[at - 1], frames[at]];
  if (next === undefined && positions.at(-1) !== last.position) return undefined;
  if (reached !== undefined && digestOfFrame(reached) !== last.digest) return undefined;
  if (next === undefined) return [];
  const { position, previous } = frameHead(next);
  if (position !== last.position + 1) throw new RangeError(`The frame ${position} is not next.`);
  return previous === last.digest ? frames.slice(at) : undefined;
}
