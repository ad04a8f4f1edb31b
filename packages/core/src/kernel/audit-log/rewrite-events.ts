/**
 * Replaces names in stored events. The links of all later events of a chain follow from the changed
 * ones, so each block behind them is written again, and its chain verifies as before.
 */
import type { WriteTx } from '../../storage/store/store.js';
import {
  findHead,
  type NumberedBlock,
  putBlock,
  putHead,
  rawBlockFrom,
  removeBlock,
} from './audit-store.js';
import type { StoredBlock } from './block-layout.js';
import { linkOf } from './chain.js';
import type { EventFields } from './event-fields.js';
import type { AuditHead } from './head-layout.js';
import { auditQuotas } from './quota-policy.js';
import { type AuditSeam, putSeam, removeSeam, type SeamEnd } from './seam-store.js';

/** Returns the members of an event with names replaced, or the same ones. */
export type ReplaceNames = (fields: EventFields) => EventFields;

/** What one part of the rewriting did. */
export interface Rewritten {
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
  let raw = rawBlockFrom(tx, authority, at);
  for (let seen = 0; raw !== undefined && seen < blocksMax; seen += 1) {
    const { sequence, block } = raw;
    // A damaged block stays as evidence.
    if (block !== undefined) {
      const end = rewriteBlock(tx, authority, { sequence, block }, chains[block.quota], replace);
      if (end !== undefined) {
        chains[block.quota] = end;
        blocks.push(sequence);
      }
    }
    at = sequence + Math.max(1, block?.events.length ?? 1);
    raw = rawBlockFrom(tx, authority, at);
  }
  if (raw !== undefined) {
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
