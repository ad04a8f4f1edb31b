/** Finds the end of a replication log and reads its slots, each verified against the one before. */
import type { FramePoint } from '../../../storage/frames/frame.js';
import { storeError } from '../../../storage/store/store-error.js';
import { LISTED_NAMES_MAX, type ReplicaTarget } from '../targets/replica-target.js';
import {
  damagedSlot,
  decodeSlot,
  NO_SLOT_DIGEST,
  type Slot,
  type SlotHead,
  slotName,
  slotOfName,
} from './replica-slot.js';

/** The end of a log: its last slot. */
export interface LogTip {
  readonly slot: number;
  /** Digest of the slot. */
  readonly digest: string;
  readonly epoch: number;
  readonly generation: number;
  /** Id of the store. */
  readonly store: string;
  /** Id of the data directory that writes the next slot. */
  readonly directory: string;
  /** The last frame, or the one that the last claim continues after. */
  readonly last: FramePoint;
}

/** Returns the end of a log that ends with a slot. */
export function tipAt({ head, digest }: Slot): LogTip {
  const { slot, epoch, generation, store, directory, last } = head;
  return { slot, digest, epoch, generation, store, directory, last };
}

/** Returns a slot, or `undefined` if there is none. */
export async function readSlot(target: ReplicaTarget, slot: number): Promise<Slot | undefined> {
  const bytes = await target.read(slotName(slot));
  return bytes && decodeSlot(slot, bytes);
}

/**
 * Returns the last slot of a log; `undefined` for an empty target. Slots are removed at the start
 * of a log only, so a few listings find its end.
 * @throws {AgentkeepError} `replica_missing` if there is a base copy but no log.
 */
export async function lastSlot(target: ReplicaTarget): Promise<Slot | undefined> {
  let names = await target.list('log/');
  if (names.length === 0) return refuseBaseWithoutLog(target);
  // `low` is there, and the slots after `low + step` are not, once the first loop has ended.
  let low = lastOf(names);
  let step = names.length < LISTED_NAMES_MAX ? 0 : LISTED_NAMES_MAX;
  while (step > 0) {
    names = await target.list('log/', slotName(low + step - 1));
    if (names.length > 0) {
      low = lastOf(names);
      if (names.length < LISTED_NAMES_MAX) break;
      step *= 2;
    } else if (step === 1) step = 0;
    else step = Math.ceil(step / 2);
  }
  const slot = await readSlot(target, low);
  if (slot === undefined) throw missingSlot(low);
  return slot;
}

async function refuseBaseWithoutLog(target: ReplicaTarget): Promise<undefined> {
  const [base] = await target.list('base/');
  if (base === undefined) return undefined;
  const detail = `${target.address} has the base copy ${base} but no log.`;
  throw storeError('replica_missing', detail);
}

function lastOf(names: readonly string[]): number {
  return slotOfName(names.at(-1) ?? '');
}

/**
 * Reads the slots after one, in order, up to the end of the log. The slot itself is read too, as
 * what the next one has to follow; 0 stands for the start of the log.
 * @throws {AgentkeepError} `replica_damaged`, `replica_missing`, `replica_doubled`,
 * `replica_foreign` or `replica_epoch` for a slot that is not the one that was written there.
 */
export async function* slotsAfter(
  target: ReplicaTarget,
  after: number,
  store: string,
): AsyncGenerator<Slot, undefined> {
  let before: Slot | undefined;
  if (after > 0) {
    before = await readSlot(target, after);
    if (before === undefined) throw missingSlot(after);
    requirePlace(before.head, after, store);
  }
  const ahead = new ReadAhead(target);
  try {
    for (let number = after + 1; ; number += 1) {
      const bytes = await ahead.read(number);
      if (bytes === undefined) {
        const [later] = await target.list('log/', slotName(number));
        if (later === undefined) return undefined;
        // It may have been written between the two calls.
        if ((await target.read(slotName(number))) === undefined) throw missingSlot(number);
        number -= 1;
        continue;
      }
      const slot = decodeSlot(number, bytes);
      requirePlace(slot.head, number, store);
      requireFollows(slot.head, before);
      yield slot;
      before = slot;
    }
  } finally {
    await ahead.end();
  }
}

/** Most slots that are read at once, so that a bucket far away does not answer them one by one. */
const AHEAD_MAX = 16;

/** Reads slots before they are asked for: more at once with each one that was there. */
class ReadAhead {
  readonly #target: ReplicaTarget;
  readonly #reads = new Map<number, Promise<Uint8Array | undefined>>();
  #size = 1;

  constructor(target: ReplicaTarget) {
    this.#target = target;
  }

  /** Returns a slot, or `undefined` if there is none now. Slots are asked for in order. */
  async read(number: number): Promise<Uint8Array | undefined> {
    for (let next = number; next < number + this.#size; next += 1) this.#begin(next);
    const read = this.#reads.get(number);
    this.#reads.delete(number);
    const bytes = await read;
    if (bytes !== undefined) {
      this.#size = Math.min(AHEAD_MAX, this.#size * 2);
      return bytes;
    }
    // It may have been written since, and so may those after it.
    const isStale = this.#size > 1;
    await this.end();
    this.#reads.clear();
    this.#size = 1;
    return isStale ? this.#target.read(slotName(number)) : undefined;
  }

  /** Resolves once nothing is read any more. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#reads.values());
  }

  #begin(number: number): void {
    if (this.#reads.has(number)) return;
    const read = this.#target.read(slotName(number));
    // What lies behind a moment need not be readable.
    read.catch(() => undefined);
    this.#reads.set(number, read);
  }
}

/** Checks that a slot lies under its own name, in the log of its store. */
function requirePlace({ slot, store: found }: SlotHead, number: number, store: string): void {
  if (found !== store) {
    const detail = `The object ${slotName(number)} of the target belongs to another store.`;
    throw storeError('replica_foreign', detail);
  }
  if (slot === number) return;
  const detail = `The object ${slotName(number)} of the target is a copy of ${slotName(slot)}.`;
  throw storeError('replica_doubled', detail);
}

function requireFollows(head: SlotHead, before: Slot | undefined): void {
  const epoch = before?.head.epoch ?? 0;
  requireEpoch(head, before?.head, epoch);
  if (head.previous !== (before?.digest ?? NO_SLOT_DIGEST)) {
    throw damagedSlot(head.slot, 'it does not follow the slot before it');
  }
  if (head.kind === 'claim' || before === undefined) return;
  const expected = before.head.last.position + 1;
  const { position } = head.first;
  if (position === expected) return;
  const detail =
    `The object ${slotName(head.slot)} of the target begins with the frame ${position}, ` +
    `where ${expected} is next.`;
  throw storeError(position < expected ? 'replica_doubled' : 'replica_missing', detail);
}

/** A claim raises the epoch by one; a segment has that of the last claim, and its directory. */
function requireEpoch(head: SlotHead, before: SlotHead | undefined, epoch: number): void {
  const isNext =
    head.kind === 'claim'
      ? head.epoch === epoch + 1
      : head.epoch === epoch &&
        head.directory === before?.directory &&
        head.generation === before.generation;
  if (isNext) return;
  const detail =
    `The object ${slotName(head.slot)} of the target is of epoch ${head.epoch} of the directory ` +
    `${head.directory}, where epoch ${epoch} holds.`;
  throw storeError('replica_epoch', detail);
}

/** Makes the error for a slot that is not there. */
export function missingSlot(slot: number): Error {
  return storeError('replica_missing', `The replication target lacks ${slotName(slot)}.`);
}
