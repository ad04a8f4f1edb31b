/**
 * Finds events of one authority, newest first. Postings of all filters are intersected block by
 * block, and times are found by binary search, so that few other events are read.
 */
import { timeText } from '../../contract/schema/time.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx } from '../../storage/store/store.js';
import type { AuditEventType } from '../audit/event-type.js';
import type { RecordedEvent } from './append-events.js';
import {
  blocksBefore,
  findHead,
  type IndexedMember,
  indexedValue,
  type NumberedBlock,
} from './audit-store.js';
import type { StoredBlock } from './block-layout.js';
import { Candidates } from './candidates.js';
import { type EventFields, memberOf } from './event-fields.js';
import type { AuditHead } from './head-layout.js';
import type { AuditEvent } from './schema.js';

/** Filters of a search; all must match. */
export interface EventFilter {
  readonly values: readonly (readonly [member: IndexedMember, value: string])[];
  /** Least and greatest time of the event, both inclusive. */
  readonly fromMillis: number;
  readonly toMillis: number;
  /** Earlier events have expired. */
  readonly keptFromMillis: number;
  /** Most events that are kept of each quota of an authority. */
  readonly maxEvents: number;
}

/** Where a slice of a search begins, and how many events it may return. */
export interface SliceBounds {
  readonly below: number;
  readonly wanted: number;
}

/** The result of one slice. */
export interface FoundSlice {
  readonly events: readonly RecordedEvent[];
  /** Continue below this sequence number; `undefined` at the end. */
  readonly below: number | undefined;
}

/** Most blocks that a slice examines, and most reads of postings. */
const SLICE_STEPS = 64;

/** Returns the sequence number after the last event recorded at or before a time. */
export function sequenceBehind(tx: ReadTx, head: AuditHead, millis: number): number {
  if (head.recordedAtMillis <= millis) return head.next;
  let low = 0;
  let high = head.next;
  // Blocks are in order of recording, so a binary search works. Removed blocks leave gaps.
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    const [placed] = blocksBefore(tx, head.authority, middle, 1);
    if (placed === undefined || placed.sequence + placed.block.events.length <= low) low = middle;
    else if (placed.block.recordedAtMillis > millis) high = Math.max(placed.sequence, low);
    else low = Math.min(Math.max(placed.sequence + placed.block.events.length, middle), high);
  }
  return low;
}

/** Returns where a search begins: after the last event that can match. */
export function startOf(tx: ReadTx, head: AuditHead, { toMillis }: EventFilter): number {
  // An event is recorded at most this long after it happened.
  return sequenceBehind(tx, head, toMillis + head.lagMillis);
}

/** Searches one slice below a sequence number. */
export function searchSlice(
  tx: ReadTx,
  authority: string,
  filter: EventFilter,
  from: SliceBounds,
): FoundSlice {
  const head = findHead(tx, authority);
  if (head === undefined) return { events: [], below: undefined };
  const oldestMillis = Math.max(filter.fromMillis, filter.keptFromMillis);
  const events: RecordedEvent[] = [];
  const candidates = new Candidates(tx, authority, filter.values);
  let { below } = from;
  while (below > 0) {
    const next = candidates.next(below, SLICE_STEPS);
    if (next === undefined) break;
    if (!next.isFound) return { events, below: next.at + 1 };
    const placed = candidates.read(next.at);
    if (placed === undefined || placed.block.recordedAtMillis < oldestMillis) break;
    const first = firstKept(head, placed.block, filter.maxEvents);
    for (const found of matchesIn(authority, placed, filter, { first, below })) {
      events.push(found);
      if (events.length === from.wanted) return { events, below: found.sequence };
    }
    below = placed.sequence;
  }
  return { events, below: undefined };
}

/** Returns the number of the oldest event that the quota of a block keeps. */
function firstKept({ chains }: AuditHead, { quota }: StoredBlock, maxEvents: number): number {
  const chain = chains[quota];
  return chain === null ? 0 : Math.max(chain.first, chain.next - maxEvents);
}

function* matchesIn(
  authority: string,
  { sequence: start, block }: NumberedBlock,
  filter: EventFilter,
  bounds: { readonly first: number; readonly below: number },
): Generator<RecordedEvent, void> {
  const { recordedAtMillis, events, ordinal } = block;
  for (let index = Math.min(events.length, bounds.below - start) - 1; index >= 0; index -= 1) {
    const fields = events[index]?.[1];
    const sequence = start + index;
    if (fields === undefined || ordinal + index < bounds.first) return;
    const atMillis = memberOf(fields, 'atMillis');
    const isInTime = atMillis >= filter.fromMillis && atMillis <= filter.toMillis;
    const isMatch = filter.values.every(
      ([member, value]) => indexedValue(fields, member) === value,
    );
    if (isInTime && isMatch) yield { authority, recordedAtMillis, fields, sequence };
  }
}

/** Returns the document of an event. */
export function showEvent(event: Omit<RecordedEvent, 'sequence'>): AuditEvent {
  const { authority, recordedAtMillis, fields } = event;
  return {
    event_id: memberOf(fields, 'id'),
    event_type: memberOf(fields, 'type'),
    timestamp: timeText(memberOf(fields, 'atMillis')),
    transaction_time: timeText(recordedAtMillis),
    user_id: memberOf(fields, 'userId'),
    username: memberOf(fields, 'username'),
    action: memberOf(fields, 'action'),
    resource: memberOf(fields, 'resource'),
    result: memberOf(fields, 'result'),
    ip_address: memberOf(fields, 'ipAddress'),
    user_agent: memberOf(fields, 'userAgent'),
    metadata: { ...memberOf(fields, 'metadata') },
    tenant_id: authority === INSTALLATION ? triedTenant(fields) : authority,
  };
}

/** Events about a name. They are in the installation's log if the tenant doesn't exist. */
const ofNames: ReadonlySet<AuditEventType> = new Set([
  'login_failed',
  'account_lockout_triggered',
  'account_unlocked',
]);

/** Returns the missing tenant that a login named, or null. */
function triedTenant(fields: EventFields): string | null {
  const { tenant_id: tried } = memberOf(fields, 'metadata');
  return ofNames.has(memberOf(fields, 'type')) && typeof tried === 'string' ? tried : null;
}
