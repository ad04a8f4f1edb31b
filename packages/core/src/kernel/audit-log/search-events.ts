/**
 * Finds events of one authority, newest first. Postings of all filters are intersected block by
 * block, and times are found by binary search, so that few other events are read.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { timeText } from '../../contract/schema/time.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx } from '../../storage/store/store.js';
import type { AuditEventType } from '../audit/event-type.js';
import type { RecordedEvent } from './append-events.js';
import {
  blockAt,
  blocksBefore,
  findHead,
  type IndexedMember,
  indexedValue,
  type NumberedBlock,
  postingsBefore,
} from './audit-store.js';
import type { StoredBlock } from './block-layout.js';
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

/** Blocks that are asked for at once: first few, since one may fill a page, then ever more. */
const FIRST_BLOCKS = 4;
const GROWTH = 4;

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
  for (const placed of candidates.blocks(below, from.wanted)) {
    if (placed.block.recordedAtMillis < oldestMillis) return { events, below: undefined };
    const first = firstKept(head, placed.block, filter.maxEvents);
    for (const found of matchesIn(authority, placed, filter, { first, below })) {
      events.push(found);
      if (events.length === from.wanted) return { events, below: found.sequence };
    }
    below = placed.sequence;
  }
  return { events, below: candidates.rest };
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

/** Postings that are read at once. */
const WINDOW = 64;

type Value = readonly [member: IndexedMember, value: string];

/** Where a candidate begins, or where an unfinished look-up has come to. */
interface Position {
  readonly at: number;
  readonly isFound: boolean;
}

/** Blocks of one authority in which every value occurs, in one transaction. */
class Candidates {
  /** The number below which a search goes on after its last step; `undefined` at the end. */
  rest: number | undefined;
  readonly #tx: ReadTx;
  readonly #authority: string;
  readonly #lists: readonly PostingList[];
  #blocksRead = 0;

  constructor(tx: ReadTx, authority: string, values: readonly Value[]) {
    this.#tx = tx;
    this.#authority = authority;
    this.#lists = values.map((value) => new PostingList(tx, authority, value));
  }

  /**
   * Yields the blocks below a number, newest first, as far as the steps of a slice go. Several are
   * asked for at once, since each question may wait for a database: at most as many as wanted.
   * @throws {AgentkeepError} `storage_inconsistency` A posting names a missing block.
   */
  *blocks(below: number, wanted: number): Generator<NumberedBlock, void> {
    let at: number | undefined = below;
    for (let count = FIRST_BLOCKS; at !== undefined && at > 0; count *= GROWTH) {
      this.rest = at;
      if (this.#steps >= SLICE_STEPS) return;
      const most = Math.min(count, wanted);
      at = yield* this.#lists.length === 0 ? this.#newest(at, most) : this.#posted(at, most);
    }
    this.rest = undefined;
  }

  /** Reads of the store so far: the cost of the search. */
  get #steps(): number {
    return this.#lists.reduce((sum, { reads }) => sum + reads, this.#blocksRead);
  }

  /** Yields blocks of any values. Returns the number to continue from, if there may be more. */
  *#newest(below: number, most: number): Generator<NumberedBlock, number | undefined> {
    const limit = Math.min(most, SLICE_STEPS - this.#blocksRead);
    let found = 0;
    let at = below;
    for (const placed of blocksBefore(this.#tx, this.#authority, below, limit)) {
      this.#blocksRead += 1;
      found += 1;
      at = placed.sequence;
      yield placed;
    }
    return found < limit ? undefined : at;
  }

  /** Yields blocks in which every value occurs. Returns the number to continue from, likewise. */
  *#posted(below: number, most: number): Generator<NumberedBlock, number | undefined> {
    const numbers: number[] = [];
    let rest: number | undefined = below;
    while (numbers.length < most) {
      const next: Position | undefined = this.#next(rest);
      if (next?.isFound !== true) {
        rest = next && next.at + 1;
        break;
      }
      this.#blocksRead += 1;
      numbers.push(next.at);
      rest = next.at;
    }
    // Each is read before one that is missing ends the body: a database may not have sent it yet.
    const blocks = numbers.map((at) => blockAt(this.#tx, this.#authority, at));
    for (const placed of blocks) {
      if (placed === undefined) throw new AgentkeepError('storage_inconsistency');
      yield placed;
    }
    return rest;
  }

  /**
   * Returns the greatest number below a bound at which a candidate can begin, or `undefined` when
   * there is none. When the steps of a slice end, returns the number that it came to.
   */
  #next(below: number): Position | undefined {
    let at = below - 1;
    let agreed = 0;
    for (let turn = 0; agreed < this.#lists.length; turn += 1) {
      if (this.#steps >= SLICE_STEPS) return { at, isFound: false };
      const found = this.#lists[turn % this.#lists.length]?.atOrBelow(at);
      if (found === undefined) return undefined;
      agreed = found === at ? agreed + 1 : 1;
      at = found;
    }
    return { at, isFound: true };
  }
}

/** The blocks with one value, read in windows from the newest down. */
class PostingList {
  readonly #tx: ReadTx;
  readonly #authority: string;
  readonly #value: Value;
  #window: readonly number[] = [];
  #index = 0;
  reads = 0;

  constructor(tx: ReadTx, authority: string, value: Value) {
    this.#tx = tx;
    this.#authority = authority;
    this.#value = value;
  }

  /** Returns the greatest number up to a bound. The bounds of later calls must not grow. */
  atOrBelow(bound: number): number | undefined {
    for (; this.#index < this.#window.length; this.#index += 1) {
      const number = this.#window[this.#index];
      if (number !== undefined && number <= bound) return number;
    }
    this.reads += 1;
    this.#window = postingsBefore(this.#tx, this.#authority, this.#value, bound + 1, WINDOW);
    this.#index = 0;
    return this.#window[0];
  }
}
