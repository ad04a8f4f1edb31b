/** The bodies of one group commit. */
import { storeError } from '../store/store-error.js';
import type { Overlay, WriteTarget } from '../store/overlay.js';
import type { Positions } from '../store/position.js';
import type { WriteTx } from '../store/store.js';
import { runWriteBody } from '../store/transaction-view.js';

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
  readonly positions: Positions;
  /** Bodies that have begun. */
  started: number;
  readonly ran: BodyResult[];
  bytes: number;
  /** Whether the epoch of this opening is stored, by an earlier transaction or this one. */
  hasEpoch: boolean;
  /** When the last body ended. */
  endedMs: number;
}

/** Runs a body and applies its writes. */
export function runOne(
  { body, resolve, reject }: Waiting,
  overlay: Overlay,
  target: WriteTarget,
  { freeBytes, positions }: Batch,
): BodyResult {
  let result: unknown;
  try {
    result = runWriteBody(overlay, body);
  } catch (error) {
    return { answer: () => reject(error) };
  }
  if (2 * overlay.sizeBytes > freeBytes) {
    const detail = `Only ${freeBytes} bytes are free, too few for this transaction.`;
    return { answer: () => reject(storeError('store_full', detail)) };
  }
  const hasAppended = overlay.appended.length > 0;
  if (hasAppended) overlay.assignPositions(positions.begin());
  overlay.applyTo(target);
  return { applied: overlay, hasAppended, answer: () => resolve(result) };
}
