/** Verifies the log of one authority in slices, between which the log may change. */
import type { ReadTx } from '../../../storage/store/store.js';
import { findHead, findSeam, rawBlockFrom } from '../audit-store.js';
import type { AuditHead } from '../head-layout.js';
import { auditQuotas } from '../quota-policy.js';
import { type ChainsProgress, endOfChains, startOfChains, verifyBlock } from './verify-chains.js';

/** Blocks that are verified before other work may run. */
export const SLICE_BLOCKS = 8;

/** Progress in the log of one authority. */
export interface LogProgress extends ChainsProgress {
  /** Sequence number to continue from. */
  readonly from: number;
  readonly isDone: boolean;
}

/** Progress, with the head of the log that it was compared with. */
export interface VerifiedSlice {
  readonly progress: LogProgress;
  readonly head: AuditHead | undefined;
}

/** Returns the progress before the first slice. */
export function startOfLog(): LogProgress {
  return { ...startOfChains(), from: 0, isDone: false };
}

/**
 * Verifies the next slice. It starts again where blocks that were checked before have been written
 * anew, as by an erasure, or are those of a restored store.
 */
export function verifySlice(tx: ReadTx, authority: string, before: LogProgress): VerifiedSlice {
  const head = findHead(tx, authority);
  if (head === undefined) return { progress: withoutHead(tx, authority, before), head };
  const after = verifyBlocks(tx, head, before);
  const isStale = after.broken !== null && before.from > 0 && !isInPlace(tx, head, before);
  return { progress: isStale ? verifyBlocks(tx, head, startOfLog()) : after, head };
}

/** A log without events has no head, and one with events has lost it. */
function withoutHead(tx: ReadTx, authority: string, before: LogProgress): LogProgress {
  const lost = rawBlockFrom(tx, authority, 0);
  if (lost === undefined) return { ...startOfLog(), isDone: true };
  const broken = { eventId: lost.firstId, quota: null, reason: 'head_missing' } as const;
  return { ...before, broken, isDone: true };
}

function verifyBlocks(tx: ReadTx, found: AuditHead, before: LogProgress): LogProgress {
  const { authority } = found;
  const head = { ...found, seam: findSeam(tx, authority) };
  let progress = before;
  for (let blocks = 0; blocks < SLICE_BLOCKS; blocks += 1) {
    const raw = rawBlockFrom(tx, authority, progress.from);
    if (raw === undefined) return { ...progress, ...endOfChains(head, progress), isDone: true };
    const { sequence, firstId, block } = raw;
    if (block === undefined) {
      const broken = { eventId: firstId, quota: null, reason: 'block_unreadable' } as const;
      return { ...progress, broken, isDone: true };
    }
    const chains = verifyBlock(head, progress, { sequence, firstId, block });
    const from = sequence + Math.max(1, block.events.length);
    progress = { ...chains, from, isDone: chains.broken !== null };
    if (progress.isDone) break;
  }
  return progress;
}

/** Returns whether each chain still has the block that was checked last, with the same link. */
function isInPlace(tx: ReadTx, head: AuditHead, { chains }: LogProgress): boolean {
  return auditQuotas.every((quota) => {
    const { next, link, at } = chains[quota];
    const chain = head.chains[quota];
    // A chain of which nothing was checked, or nothing that is still kept.
    if (link === undefined || (chain !== null && chain.first >= next)) return true;
    const raw = rawBlockFrom(tx, head.authority, at);
    return raw?.sequence === at && raw.block?.events.at(-1)?.[0] === link;
  });
}
