/** Verifies the chains of one authority, block by block in order of recording. */
import type { StoredBlock } from './block-layout.js';
import { linkOf } from './chain.js';
import { memberOf } from './event-fields.js';
import type { AuditHead } from './head-layout.js';
import { type AuditQuota, auditQuotas } from './quota-policy.js';
import type { AuditSeam } from './seam-store.js';

/** Progress in the chain of one quota. */
interface ChainProgress {
  /** Number of the next event to check. */
  readonly next: number;
  /** Link of the previous event; `undefined` before the oldest block, which states its own. */
  readonly link: string | undefined;
}

/** Progress in all chains of an authority. */
export interface ChainsProgress {
  readonly chains: Readonly<Record<AuditQuota, ChainProgress>>;
  readonly checked: number;
  readonly firstId: string | null;
  readonly lastId: string | null;
  readonly brokenAt: string | null;
}

/** A block with the members of its key. */
interface KeyedBlock {
  readonly sequence: number;
  /** Id of its first event, as its key states it. */
  readonly firstId: string;
  readonly block: StoredBlock;
}

/** Returns the progress before the first block. */
export function startOfChains(): ChainsProgress {
  const start = { next: 0, link: undefined };
  const chains = { changes: start, writes: start, logins: start, calls: start };
  return { chains, checked: 0, firstId: null, lastId: null, brokenAt: null };
}

/** The head of an authority, with the seam while its names are replaced. */
export interface SeamedHead extends AuditHead {
  readonly seam: AuditSeam | undefined;
}

/**
 * Checks the next block. The oldest kept event may be inside it; events before that one are
 * skipped.
 */
export function verifyBlock(
  head: SeamedHead,
  progress: ChainsProgress,
  { sequence, firstId, block }: KeyedBlock,
): ChainsProgress {
  const { quota, ordinal, previous, events, recordedAtMillis } = block;
  const chain = head.chains[quota];
  if (chain === null) return { ...progress, brokenAt: firstId };
  let { next, link } = reached(progress.chains[quota], chain.first);
  // Behind a seam, links follow those from before.
  if (isAtSeam(head, quota, { next, link })) link = previous;
  const isExpired = link === undefined && ordinal + events.length <= next;
  if (isExpired) return progress;
  const isNext = link === undefined ? ordinal <= next : ordinal === next && link === previous;
  if (!isNext) return { ...progress, brokenAt: firstId };
  link ??= ordinal === next ? previous : events[next - ordinal - 1]?.[0];
  let { checked, firstId: oldestId, lastId } = progress;
  const end = Math.min(chain.next, head.next - sequence + ordinal);
  for (const [stored, fields] of events.slice(next - ordinal)) {
    const id = memberOf(fields, 'id');
    const at = sequence + next - ordinal;
    const position = { authority: head.authority, previous: link ?? '', sequence: at };
    const expected = linkOf({ ...position, recordedAtMillis }, JSON.stringify(fields));
    if (expected !== stored || next >= end) {
      return { ...progress, checked, brokenAt: id };
    }
    oldestId = oldestId === null || id < oldestId ? id : oldestId;
    lastId = lastId === null || id > lastId ? id : lastId;
    link = stored;
    next += 1;
    checked += 1;
  }
  const chains = { ...progress.chains, [quota]: { next, link } };
  return { ...progress, chains, checked, firstId: oldestId, lastId };
}

/** Checks that every chain ends where the head says, after the last block. */
export function endOfChains(head: SeamedHead, progress: ChainsProgress): ChainsProgress {
  for (const quota of auditQuotas) {
    const chain = head.chains[quota];
    if (chain === null) continue;
    const { next, link } = reached(progress.chains[quota], chain.first);
    const isEnd = link === undefined || link === chain.link;
    const holds = next === chain.next && (isEnd || isAtSeam(head, quota, { next, link }));
    // A missing end is reported at the newest event, which the head names.
    if (!holds) return { ...progress, brokenAt: chain.lastId };
  }
  return progress;
}

function isAtSeam({ seam }: SeamedHead, quota: AuditQuota, { next, link }: ChainProgress): boolean {
  const end = seam?.chains[quota];
  return end !== undefined && end.next === next && end.link === link;
}

/** The oldest events may have expired since the last slice; then start at the first kept one. */
function reached(progress: ChainProgress, first: number): ChainProgress {
  return first > progress.next ? { next: first, link: undefined } : progress;
}
