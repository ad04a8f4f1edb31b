/**
 * Verifies the chains of one authority, block by block in order of recording, in slices between
 * which the log may change.
 */
import type { ReadTx } from '../../../storage/store/store.js';
import { type AuditSeam, findHead, findSeam, rawBlockFrom, rawBlocksFrom } from '../audit-store.js';
import type { StoredBlock } from '../block-layout.js';
import { memberOf } from '../event-fields.js';
import { type AuditHead, linkOf } from '../head-layout.js';
import { type AuditQuota, auditQuotas } from '../quota-policy.js';

/** Progress in the chain of one quota. */
interface ChainProgress {
  /** Number of the next event to check. */
  readonly next: number;
  /** Link of the previous event; `undefined` before the oldest block, which states its own. */
  readonly link: string | undefined;
  /** Sequence number of the block that was checked last. */
  readonly at: number;
}

/** Why a chain does not hold, in the words of the contract. */
export const breakReasons = [
  'head_missing',
  'block_unreadable',
  'link_differs',
  'end_differs',
] as const;

/** Where a chain does not hold, and why. */
interface ChainBreak {
  readonly eventId: string;
  /** The chain; null where the block does not show it. */
  readonly quota: AuditQuota | null;
  readonly reason: (typeof breakReasons)[number];
}

/** Progress in all chains of an authority. */
export interface ChainsProgress {
  readonly chains: Readonly<Record<AuditQuota, ChainProgress>>;
  readonly events: number;
  readonly blocks: number;
  /** The oldest and the newest id. */
  readonly firstId: string | null;
  readonly lastId: string | null;
  readonly broken: ChainBreak | null;
}

/** A block with the members of its key. */
interface KeyedBlock {
  readonly sequence: number;
  /** Id of its first event, as its key states it. */
  readonly firstId: string;
  readonly block: StoredBlock;
}

/** Returns the progress before the first block. */
function startOfChains(): ChainsProgress {
  const start = { next: 0, link: undefined, at: 0 };
  const chains = { changes: start, writes: start, logins: start, calls: start };
  return { chains, events: 0, blocks: 0, firstId: null, lastId: null, broken: null };
}

/** The head of an authority, with the seam while its names are replaced. */
export interface SeamedHead extends AuditHead {
  readonly seam: AuditSeam | undefined;
}

/**
 * Checks the next block. The oldest kept event may be inside it; events before that one are
 * skipped.
 */
function verifyBlock(
  head: SeamedHead,
  progress: ChainsProgress,
  { sequence, firstId, block }: KeyedBlock,
): ChainsProgress {
  const { quota, ordinal, previous, events, recordedAtMillis } = block;
  const broken = (eventId: string, reason: ChainBreak['reason']): ChainsProgress => ({
    ...progress,
    broken: { eventId, quota, reason },
  });
  const chain = head.chains[quota];
  if (chain === null) return broken(firstId, 'head_missing');
  let { next, link } = reached(progress.chains[quota], chain.first);
  // Behind a seam, links follow those from before.
  if (isAtSeam(head, quota, { next, link })) link = previous;
  const isExpired = link === undefined && ordinal + events.length <= next;
  if (isExpired) return progress;
  const isNext = link === undefined ? ordinal <= next : ordinal === next && link === previous;
  if (!isNext) return broken(firstId, 'link_differs');
  link ??= ordinal === next ? previous : events[next - ordinal - 1]?.[0];
  let { events: checked, firstId: oldestId, lastId } = progress;
  const end = Math.min(chain.next, head.next - sequence + ordinal);
  for (const [stored, fields] of events.slice(next - ordinal)) {
    const id = memberOf(fields, 'id');
    const at = sequence + next - ordinal;
    const position = { authority: head.authority, previous: link ?? '', sequence: at };
    const expected = linkOf({ ...position, recordedAtMillis }, JSON.stringify(fields));
    if (expected !== stored) return { ...broken(id, 'link_differs'), events: checked };
    if (next >= end) return { ...broken(id, 'end_differs'), events: checked };
    oldestId = oldestId === null || id < oldestId ? id : oldestId;
    lastId = lastId === null || id > lastId ? id : lastId;
    link = stored;
    next += 1;
    checked += 1;
  }
  const chains = { ...progress.chains, [quota]: { next, link, at: sequence } };
  const blocks = progress.blocks + 1;
  return { ...progress, chains, blocks, events: checked, firstId: oldestId, lastId };
}

/** Checks that every chain ends where the head says, after the last block. */
function endOfChains(head: SeamedHead, progress: ChainsProgress): ChainsProgress {
  for (const quota of auditQuotas) {
    const chain = head.chains[quota];
    if (chain === null) continue;
    const { next, link } = reached(progress.chains[quota], chain.first);
    const isEnd = link === undefined || link === chain.link;
    const holds = next === chain.next && (isEnd || isAtSeam(head, quota, { next, link }));
    if (holds) continue;
    // A missing end is reported at the newest event, which the head names.
    return { ...progress, broken: { eventId: chain.lastId, quota, reason: 'end_differs' } };
  }
  return progress;
}

function isAtSeam(
  { seam }: SeamedHead,
  quota: AuditQuota,
  { next, link }: Pick<ChainProgress, 'next' | 'link'>,
): boolean {
  const end = seam?.chains[quota];
  return end !== undefined && end.next === next && end.link === link;
}

/** The oldest events may have expired since the last slice; then start at the first kept one. */
function reached(progress: ChainProgress, first: number): Pick<ChainProgress, 'next' | 'link'> {
  return first > progress.next ? { next: first, link: undefined } : progress;
}

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
  const blocks = rawBlocksFrom(tx, authority, { from: before.from, limit: SLICE_BLOCKS });
  for (const { sequence, firstId, block } of blocks) {
    if (block === undefined) {
      const broken = { eventId: firstId, quota: null, reason: 'block_unreadable' } as const;
      return { ...progress, broken, isDone: true };
    }
    const chains = verifyBlock(head, progress, { sequence, firstId, block });
    const from = sequence + Math.max(1, block.events.length);
    progress = { ...chains, from, isDone: chains.broken !== null };
    if (progress.isDone) return progress;
  }
  if (blocks.length === SLICE_BLOCKS) return progress;
  return { ...progress, ...endOfChains(head, progress), isDone: true };
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
