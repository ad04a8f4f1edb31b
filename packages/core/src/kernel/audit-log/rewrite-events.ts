/**
 * Replaces names in stored events. The links of all later events of a chain follow from the
 * changed ones, so each block behind them is written again, and its chain verifies as before.
 */
import { copyBytes } from '../../storage/store/bytes.js';
import type { WriteTx } from '../../storage/store/store.js';
import { removeExpired } from './append-events.js';
import {
  auditBlocks,
  type AuditSeam,
  findHead,
  hasBlocks,
  type NumberedBlock,
  putBlock,
  putHead,
  putSeam,
  rawBlocksFrom,
  removeBlock,
  removeHead,
  removeSeam,
  type SeamEnd,
} from './audit-store.js';
import type { StoredBlock } from './block-layout.js';
import type { EventFields } from './event-fields.js';
import { type AuditHead, linkOf } from './head-layout.js';
import { auditQuotas } from './quota-policy.js';

/** Returns the members of an event with names replaced, or the same ones. */
type ReplaceNames = (fields: EventFields) => EventFields;

/** What one part of the rewriting did. */
interface Rewritten {
  /** Sequence numbers of the blocks that were written again. */
  readonly blocks: readonly number[];
  readonly isDone: boolean;
}

/** Rewrites up to a number of blocks behind the seam, which moves on or ends. */
export function rewriteEvents(
  tx: WriteTx,
  authority: string,
  {
    seam,
    replace,
    blocksMax,
  }: { readonly seam: AuditSeam; readonly replace: ReplaceNames; readonly blocksMax: number },
): Rewritten {
  const blocks: number[] = [];
  const chains = { ...seam.chains };
  let { at } = seam;
  const found = rawBlocksFrom(tx, authority, { from: at, limit: blocksMax + 1 });
  for (const { sequence, block } of found.slice(0, blocksMax)) {
    // A damaged block stays as evidence.
    if (block !== undefined) {
      const end = rewriteBlock(tx, authority, { sequence, block }, chains[block.quota], replace);
      if (end !== undefined) {
        chains[block.quota] = end;
        blocks.push(sequence);
      }
    }
    at = sequence + Math.max(1, block?.events.length ?? 1);
  }
  if (found.length > blocksMax) {
    putSeam(tx, authority, { ...seam, at, chains });
    return { blocks, isDone: false };
  }
  // The heads change in the commit of the last block, so nothing is appended in between.
  const head = findHead(tx, authority);
  if (head !== undefined) putHead(tx, withLinks(head, chains), head);
  removeSeam(tx, authority);
  return { blocks, isDone: true };
}

/** Returns where the rewritten part of its chain ends then; `undefined` if it stays as it is. */
function rewriteBlock(
  tx: WriteTx,
  authority: string,
  numbered: NumberedBlock,
  end: SeamEnd | undefined,
  replace: ReplaceNames,
): SeamEnd | undefined {
  const { sequence, block } = numbered;
  const events = block.events.map(([, fields]) => replace(fields));
  const isChanged = events.some((fields, index) => fields !== block.events[index]?.[1]);
  if (end === undefined && !isChanged) return undefined;
  // Where events in between have expired, the chain begins with what the block states.
  const previous = end?.next === block.ordinal ? end.link : block.previous;
  const linked = linkedFrom({ authority, previous, sequence, block }, events);
  removeBlock(tx, authority, numbered);
  const { recordedAtMillis, quota, ordinal } = block;
  const written = { recordedAtMillis, previous, quota, ordinal, events: linked };
  putBlock(tx, authority, sequence, written, events);
  const link = linked.at(-1)?.link ?? previous;
  return { next: block.ordinal + events.length, link };
}

function linkedFrom(
  from: {
    readonly authority: string;
    readonly previous: string;
    readonly sequence: number;
    readonly block: StoredBlock;
  },
  events: readonly EventFields[],
): { readonly link: string; readonly text: string }[] {
  const { authority, sequence, block } = from;
  let link = from.previous;
  return events.map((fields, index) => {
    const text = JSON.stringify(fields);
    const { recordedAtMillis } = block;
    link = linkOf(
      { authority, previous: link, sequence: sequence + index, recordedAtMillis },
      text,
    );
    return { link, text };
  });
}

function withLinks(head: AuditHead, ends: AuditSeam['chains']): AuditHead {
  const chains = { ...head.chains };
  for (const quota of auditQuotas) {
    const [chain, end] = [chains[quota], ends[quota]];
    if (chain !== null && end?.next === chain.next) chains[quota] = { ...chain, link: end.link };
  }
  return { ...head, chains };
}

/** What a part of the removal did. */
interface DroppedEvents {
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
