/** Appends events to the chains of their authority and removes the oldest of each quota. */
import type { AuditDraft } from '../audit/audit.js';
import type { WriteTx } from '../../storage/store/store.js';
import {
  endOfBlocks,
  findHead,
  oldestBlockOf,
  putBlock,
  putHead,
  removeBlock,
} from './audit-store.js';
import { type EventFields, fieldsOf, memberOf } from './event-fields.js';
import { type AuditHead, type ChainEnd, firstLink, linkOf } from './head-layout.js';
import { type AuditQuota, quotaOf } from './quota-policy.js';

/** Most events of a block: few enough to read one for a single event. */
const AUDIT_BLOCK_EVENTS_MAX = 64;

/** Blocks that a write may remove beyond as many as it adds. */
const EXTRA_REMOVALS_MAX = 4;

/** The bounds of what each quota of an authority keeps. */
export interface KeepBounds {
  readonly maxEvents: number;
  readonly retentionMs: number;
}

/** An event with its sequence number and its times. */
export interface RecordedEvent {
  /** The tenant, or an empty text for the installation. */
  readonly authority: string;
  readonly sequence: number;
  readonly recordedAtMillis: number;
  readonly fields: EventFields;
}

/** Events that follow one another and belong to one quota. */
interface Run {
  readonly quota: AuditQuota;
  readonly drafts: AuditDraft[];
}

/**
 * Appends events of one authority, in order; returns them as they were stored. Its cost is linear
 * in the events, so a body appends all of its events at once.
 */
export function appendEvents(
  tx: WriteTx,
  authority: string,
  drafts: readonly AuditDraft[],
  at: { readonly nowMs: number; readonly bounds: KeepBounds },
): RecordedEvent[] {
  const found = findHead(tx, authority);
  const before = found ?? emptyHead(tx, authority);
  const happened = drafts.reduce((latest, { atMillis }) => Math.max(latest, atMillis), at.nowMs);
  const earliest = drafts.reduce((least, { atMillis }) => Math.min(least, atMillis), happened);
  // Never goes back, so the order of recording is the order in time even when clocks are set.
  const recordedAtMillis = Math.max(happened, before.recordedAtMillis);
  const stored: RecordedEvent[] = [];
  let head: AuditHead = {
    ...before,
    recordedAtMillis,
    lagMillis: Math.max(before.lagMillis, recordedAtMillis - earliest),
  };
  const added = new Map<AuditQuota, number>();
  for (const { quota, drafts: some } of runsOf(drafts)) {
    const events = some.map(fieldsOf);
    const first = head.next;
    head = appendBlock(tx, head, quota, events);
    events.forEach((fields, index) => {
      stored.push({ authority, sequence: first + index, recordedAtMillis, fields });
    });
    added.set(quota, (added.get(quota) ?? 0) + 1);
  }
  for (const [quota, blocks] of added) {
    head = removeExpired(tx, head, quota, { ...at, removalsMax: blocks + EXTRA_REMOVALS_MAX });
  }
  putHead(tx, head, found);
  return stored;
}

/**
 * Removes up to a limit of blocks of a quota whose events have all expired, and advances the number
 * of its oldest event.
 */
export function removeExpired(
  tx: WriteTx,
  head: AuditHead,
  quota: AuditQuota,
  limits: {
    readonly nowMs: number;
    readonly bounds: KeepBounds;
    readonly removalsMax: number;
  },
): AuditHead {
  const { authority, chains } = head;
  const chain = chains[quota];
  if (chain === null) return head;
  const { maxEvents, retentionMs } = limits.bounds;
  let first = Math.max(chain.first, chain.next - maxEvents);
  let { oldestEnd, oldestMillis } = chain;
  const isKept = (): boolean => oldestEnd > first && oldestMillis >= limits.nowMs - retentionMs;
  for (let removed = 0; !isKept() && removed <= limits.removalsMax;) {
    const oldest = oldestBlockOf(tx, authority, quota);
    // A damaged block stays for inspection. It doesn't stop changes.
    if (oldest === undefined) break;
    const { ordinal, events, recordedAtMillis } = oldest.block;
    oldestEnd = ordinal + events.length;
    oldestMillis = recordedAtMillis;
    if (isKept() || removed === limits.removalsMax) break;
    removeBlock(tx, authority, oldest);
    first = Math.max(first, oldestEnd);
    removed += 1;
  }
  return { ...head, chains: { ...chains, [quota]: { ...chain, first, oldestEnd, oldestMillis } } };
}

/** Splits events where the quota changes or a block is full. */
function runsOf(drafts: readonly AuditDraft[]): Run[] {
  const runs: Run[] = [];
  for (const draft of drafts) {
    const quota = quotaOf(draft);
    const last = runs.at(-1);
    if (last?.quota === quota && last.drafts.length < AUDIT_BLOCK_EVENTS_MAX) {
      last.drafts.push(draft);
    } else {
      runs.push({ quota, drafts: [draft] });
    }
  }
  return runs;
}

/** Returns the head of an authority that has none. Blocks without a head stay as evidence. */
function emptyHead(tx: WriteTx, authority: string): AuditHead {
  const chains = { changes: null, writes: null, logins: null, calls: null };
  const next = endOfBlocks(tx, authority);
  return { authority, next, recordedAtMillis: 0, lagMillis: 0, chains };
}

function emptyChain(authority: string, quota: AuditQuota): ChainEnd {
  const link = firstLink(authority, quota);
  return { first: 0, next: 0, link, lastId: '', oldestEnd: 0, oldestMillis: 0 };
}

function appendBlock(
  tx: WriteTx,
  head: AuditHead,
  quota: AuditQuota,
  events: readonly EventFields[],
): AuditHead {
  const { authority, recordedAtMillis, next, chains } = head;
  const chain = chains[quota] ?? emptyChain(authority, quota);
  const { link: previous, next: ordinal } = chain;
  let link = previous;
  const linked = events.map((fields, index) => {
    const text = JSON.stringify(fields);
    const position = { authority, previous: link, sequence: next + index, recordedAtMillis };
    link = linkOf(position, text);
    return { link, text };
  });
  const block = { recordedAtMillis, previous, quota, ordinal, events: linked };
  putBlock(tx, authority, next, block, events);
  const last = events.at(-1);
  const lastId = last === undefined ? chain.lastId : memberOf(last, 'id');
  const longer = { ...chain, next: ordinal + events.length, link, lastId };
  return { ...head, next: next + events.length, chains: { ...chains, [quota]: longer } };
}
