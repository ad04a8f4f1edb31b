/** Appends events to the chain of their authority and removes the oldest. */
import type { AuditDraft } from '../../runtime/audit/audit.js';
import type { WriteTx } from '../../storage/store/store.js';
import {
  type AuditHead,
  findHead,
  putBlock,
  putHead,
  rawBlockFrom,
  removeBlock,
} from './audit-store.js';
import { type EventFields, fieldsOf, memberOf } from './event-fields.js';
import { firstLink, linkOf } from './chain.js';

/** Most events of a block: few enough to read one for a single event. */
const AUDIT_BLOCK_EVENTS_MAX = 64;

/** Blocks that a write may remove beyond as many as it adds. */
const EXTRA_REMOVALS_MAX = 4;

/** The head of a chain, and the bounds of what it keeps. */
export interface KeepBounds {
  readonly maxEvents: number;
  readonly retentionMs: number;
}

/** An event with its place in its chain and in time. */
export interface RecordedEvent {
  /** The tenant, or an empty text for the installation. */
  readonly authority: string;
  readonly sequence: number;
  readonly recordedAtMillis: number;
  readonly fields: EventFields;
}

/** Appends events of one authority, in order; returns them as they were stored. */
export function appendEvents(
  tx: WriteTx,
  authority: string,
  drafts: readonly AuditDraft[],
  at: { readonly nowMs: number; readonly bounds: KeepBounds },
): RecordedEvent[] {
  const found = findHead(tx, authority);
  const before = found ?? emptyHead(authority);
  const happened = drafts.reduce((latest, { atMillis }) => Math.max(latest, atMillis), at.nowMs);
  const earliest = drafts.reduce((least, { atMillis }) => Math.min(least, atMillis), happened);
  // Never back, so that order of recording is order in time although clocks are set.
  const recordedAtMillis = Math.max(happened, before.recordedAtMillis);
  const stored: RecordedEvent[] = [];
  let head: AuditHead = {
    ...before,
    recordedAtMillis,
    lagMillis: Math.max(before.lagMillis, recordedAtMillis - earliest),
  };
  let added = 0;
  for (let from = 0; from < drafts.length; from += AUDIT_BLOCK_EVENTS_MAX) {
    const events = drafts.slice(from, from + AUDIT_BLOCK_EVENTS_MAX).map(fieldsOf);
    const first = head.next;
    head = appendBlock(tx, head, events);
    events.forEach((fields, index) => {
      stored.push({ authority, sequence: first + index, recordedAtMillis, fields });
    });
    added += 1;
  }
  putHead(tx, letGo(tx, head, { ...at, removalsMax: added + EXTRA_REMOVALS_MAX }), found);
  return stored;
}

/** Removes up to a limit of blocks whose events have all expired, and advances the first number. */
export function letGo(
  tx: WriteTx,
  head: AuditHead,
  limits: {
    readonly nowMs: number;
    readonly bounds: KeepBounds;
    readonly removalsMax: number;
  },
): AuditHead {
  const { authority, next } = head;
  const { maxEvents, retentionMs } = limits.bounds;
  let first = Math.max(head.first, next - maxEvents);
  let { oldestEnd, oldestMillis } = head;
  const isKept = (): boolean => oldestEnd > first && oldestMillis >= limits.nowMs - retentionMs;
  for (let removed = 0; !isKept() && removed <= limits.removalsMax;) {
    const oldest = rawBlockFrom(tx, authority, 0);
    // A damaged block stays for inspection. It doesn't stop changes.
    if (oldest?.block === undefined) break;
    const { sequence, block } = oldest;
    oldestEnd = sequence + block.events.length;
    oldestMillis = block.recordedAtMillis;
    if (isKept() || removed === limits.removalsMax) break;
    removeBlock(tx, authority, { sequence, block });
    first = Math.max(first, oldestEnd);
    removed += 1;
  }
  return { ...head, first, oldestEnd, oldestMillis };
}

function emptyHead(authority: string): AuditHead {
  return {
    authority,
    first: 0,
    next: 0,
    link: firstLink(authority),
    lastId: '',
    recordedAtMillis: 0,
    lagMillis: 0,
    oldestEnd: 0,
    oldestMillis: 0,
  };
}

function appendBlock(tx: WriteTx, head: AuditHead, events: readonly EventFields[]): AuditHead {
  const { authority, recordedAtMillis, next, link: previous } = head;
  let link = previous;
  const linked = events.map((fields, index) => {
    const text = JSON.stringify(fields);
    const place = { authority, previous: link, sequence: next + index, recordedAtMillis };
    link = linkOf(place, text);
    return { link, text };
  });
  putBlock(tx, authority, next, { recordedAtMillis, previous, events: linked }, events);
  const last = events.at(-1);
  const lastId = last === undefined ? head.lastId : memberOf(last, 'id');
  return { ...head, next: next + events.length, link, lastId };
}
