/**
 * One batch of a group commit: its bodies, and the memory of their pending values, which the next
 * batch reuses. LMDB looks up the address of each new buffer, so one buffer makes puts cheaper.
 */
import { copyBytes } from '../store/bytes.js';
import { type Overlay, runWriteBody, settledResult, type WriteTarget } from '../store/overlay.js';
import { hasGrowth } from '../store/participant.js';
import type { Positions } from '../store/position.js';
import { storeError } from '../store/store-error.js';
import type { WriteTx } from '../store/store.js';

/** The part of the reserve that what frees space may not use either. */
const LAST_PART = 8;

/** What may be written: everything, only what frees space, or nothing. */
export type Room = 'all' | 'freeing' | 'none';

/** Returns what may be written with so many bytes free. */
export function roomFor(freeBytes: number, reserveBytes: number): Room {
  if (freeBytes >= reserveBytes) return 'all';
  return freeBytes >= reserveBytes / LAST_PART ? 'freeing' : 'none';
}

/** A queued body with the functions that settle its promise. */
export interface Waiting {
  readonly body: (tx: WriteTx) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A body that ran. */
export interface BodyResult {
  /** Its writes, if they are part of the batch. */
  readonly applied?: Overlay;
  /** Whether entries were appended. */
  readonly hasAppended?: boolean;
  /** Settles its promise. */
  readonly answer: () => void;
}

/** A transaction: the bodies that ran in it so far, and the work that they took. */
export interface Batch {
  readonly freeBytes: number;
  /** What may be written: everything, only what frees space, or nothing. */
  readonly room: Room;
  readonly positions: Positions;
  /** How many times the bytes of a write are stored. */
  readonly copies: number;
  /** Bodies that have begun. */
  started: number;
  readonly ran: BodyResult[];
  bytes: number;
  /** Whether the epoch of this opening is stored, by an earlier transaction or this one. */
  hasEpoch: boolean;
  /** When the last body ended. */
  endedMs: number;
}

/** Runs a body and applies its writes, unless there is no room for them. */
export function runOne(
  { body, resolve, reject }: Waiting,
  overlay: Overlay,
  target: WriteTarget,
  { freeBytes, room, positions, copies }: Batch,
): BodyResult {
  let ran: { readonly result: unknown; readonly addsData: boolean };
  try {
    ran = runWriteBody(overlay, (tx) => {
      const result = settledResult(body(tx));
      return { result, addsData: hasGrowth(tx.notes) };
    });
  } catch (error) {
    return { answer: () => reject(error) };
  }
  const isEmpty = overlay.sizeBytes === 0 && overlay.appended.length === 0;
  if (!isEmpty && (room === 'none' || (room === 'freeing' && ran.addsData))) {
    const detail = `Only ${freeBytes} bytes are free, below the reserve.`;
    return { answer: () => reject(storeError('store_full', detail)) };
  }
  if (2 * copies * overlay.sizeBytes > freeBytes) {
    const detail = `Only ${freeBytes} bytes are free, too few for this transaction.`;
    return { answer: () => reject(storeError('store_full', detail)) };
  }
  const hasAppended = overlay.appended.length > 0;
  if (hasAppended) overlay.assignPositions(positions.begin());
  overlay.applyTo(target);
  return { applied: overlay, hasAppended, answer: () => resolve(ran.result) };
}

/** Enough for a few hundred records. Values that do not fit get memory of their own. */
const ARENA_BYTES = 262_144;

/** An arena. Its copies are valid until it is cleared. */
export class ValueArena {
  readonly #memory = Buffer.allocUnsafeSlow(ARENA_BYTES);
  #usedBytes = 0;

  /** Copies a value. */
  readonly copy = (value: Uint8Array): Uint8Array => {
    const start = this.#usedBytes;
    if (start + value.length > ARENA_BYTES) return copyBytes(value);
    this.#memory.set(value, start);
    this.#usedBytes += value.length;
    return new Uint8Array(this.#memory.buffer, start, value.length);
  };

  /** Invalidates all copies. */
  clear(): void {
    this.#usedBytes = 0;
  }
}
