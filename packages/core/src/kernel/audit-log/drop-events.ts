/** Removes all events of an authority that is erased, the oldest first. */
import { copyBytes } from '../../storage/store/bytes.js';
import type { WriteTx } from '../../storage/store/store.js';
import { removeExpired } from './append-events.js';
import { findHead, hasBlocks, putHead, removeHead, auditBlocks } from './audit-store.js';
import { auditQuotas } from './quota-policy.js';

/** What a part of the removal did. */
export interface DroppedEvents {
  /** The keys of the removed blocks. */
  readonly keys: readonly Uint8Array[];
  readonly isDone: boolean;
}

/** Removes some blocks of each quota; the head goes with the last ones. */
export function dropEvents(
  tx: WriteTx,
  authority: string,
  nowMs: number,
  removalsMax: number,
): DroppedEvents {
  const before = findHead(tx, authority);
  if (before === undefined) return { keys: [], isDone: true };
  const keys = oldestKeys(tx, authority, removalsMax * auditQuotas.length);
  const limits = { nowMs, bounds: { maxEvents: 0, retentionMs: 0 }, removalsMax };
  const head = auditQuotas.reduce((at, quota) => removeExpired(tx, at, quota, limits), before);
  putHead(tx, head, before);
  const removed = keys.filter((key) => tx.get(key) === undefined);
  // Damaged blocks are removed later, with all that is under the id.
  if (removed.length > 0 && hasBlocks(tx, authority)) {
    return { keys: removed, isDone: false };
  }
  removeHead(tx, authority);
  return { keys: removed, isDone: true };
}

function oldestKeys(tx: WriteTx, authority: string, limit: number): Uint8Array[] {
  const entries = auditBlocks.entries(tx, authority, { prefix: [], limit });
  return Array.from(entries, ({ key }) => copyBytes(key));
}
