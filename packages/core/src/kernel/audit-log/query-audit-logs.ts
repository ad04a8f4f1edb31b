/** `queryAuditLogs`: the events of an authority that match every filter, newest first. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { rfc3339Millis } from '../../contract/texts/rfc3339.js';
import type { ReadTx } from '../../storage/store/store.js';
import type { Principal } from '../access/principal.js';
import { decodeCursor, encodeCursor, staleCursor } from '../lists/cursor.js';
import { directoryPage } from '../lists/page.js';
import { aliasOf, defineAccountOperation } from '../operation/define-operation.js';
import { authorityFirstChecks } from '../operation/orders-of-checks.js';
import { actingAuthority } from '../services/acting-authority.js';
import type { Runtime } from '../services/runtime.js';
import type { RecordedEvent } from './append-events.js';
import { findHead, hasBlocks, indexedMembers, listHeads } from './audit-store.js';
import { eventText } from './event-fields.js';
import type { AuditHead } from './head-layout.js';
import { AuditPage, AuditParameters } from './schema.js';
import {
  type EventFilter,
  type FoundSlice,
  searchSlice,
  sequenceBehind,
  showEvent,
  type SliceBounds,
  startOf,
} from './search-events.js';

/** Administrators see their own authority; those of the installation see all, or one tenant. */
export const queryAuditLogs = defineAccountOperation({
  name: 'queryAuditLogs',
  summary: 'Find audit events by type, actor, resource, result, address and time.',
  example: { parameters: {} },
  command: {
    name: 'audit query',
    columns: [
      ...['timestamp', 'event_type', 'result', 'username', 'ip_address', 'action'],
      ...['user_id', 'resource'],
    ],
    examples: [
      'agentkeep audit query --event-type login_failed --limit 20',
      'agentkeep audit query --resource record:01934f2a-7c1b-7000-8000-1234567890ab',
    ],
  },
  tag: 'Audit',
  effect: 'read',
  input: { parameters: AuditParameters },
  output: AuditPage,
  requires: { role: 'Admin' },
  checks: authorityFirstChecks,
  errors: ['tenant_not_found'],
  isHeavy: true,
  handler: (request) => {
    const { runtime, principal, input, nowMs } = request;
    const turn = (): Promise<void> => request.turn();
    return auditPage({ runtime, principal, parameters: input.parameters, nowMs, turn });
  },
});

/** Alias with a shorter path. */
export const queryAudit = aliasOf(queryAuditLogs, 'queryAudit');

/** Selects the events of every authority. It isn't a text id, so no tenant has this name. */
const ALL = '\0';

const HEADS_AT_ONCE = 1_000;

/** A query with its caller. */
export interface AuditQuery {
  readonly runtime: Runtime;
  readonly principal: Principal;
  readonly parameters: AuditParameters;
  readonly nowMs: number;
  /** Waits for the next slice of work. */
  readonly turn: () => Promise<void>;
}

/** A position after an event, in the order of answers. */
type Position = readonly [recordedAtMillis: number, authority: string, sequence: number];

/**
 * Returns one page of events, newest first. Stores waiting events first, so that the page contains
 * them.
 * @throws {AgentkeepError} `forbidden`, `tenant_not_found` or `invalid_request`;
 * `storage_inconsistency` when the log of the authority is damaged
 */
export async function auditPage(query: AuditQuery): Promise<AuditPage> {
  const { runtime, parameters } = query;
  const { store, audit } = runtime;
  const { limit, cursor } = parameters;
  const authority = await store.read((tx) => queriedAuthority(tx, query));
  const identity = { list: `audit:${filterText(parameters)}`, tenantId: authority };
  const position = cursor === undefined ? undefined : positionOf(decodeCursor(identity, cursor));
  const empty = { events: [], count: 0, limit, next_cursor: null };
  if (limit === 0 || !audit.isEnabled) return empty;
  await audit.flush(authority === ALL ? undefined : authority);
  const found = await search(query, authority, position);
  const { items, next_cursor } = directoryPage(found, limit, showEvent, (last) =>
    encodeCursor(identity, JSON.stringify(positionBehind(last))),
  );
  return { events: items, count: items.length, limit, next_cursor };
}

/** Returns the queried authority; `ALL` if an administrator of the installation names no tenant. */
function queriedAuthority(tx: ReadTx, { runtime, principal, parameters }: AuditQuery): string {
  const { tenant_id: asked } = parameters;
  if (asked === undefined && principal.authority.kind === 'global') return ALL;
  return actingAuthority(tx, principal, asked, runtime);
}

/** Chains that are searched before other work runs. */
const SLICE_HEADS = 16;

/** Returns events, newest first: one more than the limit if there are that many. */
async function search(
  query: AuditQuery,
  authority: string,
  position: Position | undefined,
): Promise<RecordedEvent[]> {
  const { runtime, parameters, turn } = query;
  const { store, audit } = runtime;
  const wanted = parameters.limit + 1;
  const filter = filterOf(parameters, audit.keptFrom(query.nowMs), audit.maxEvents);
  let found: RecordedEvent[] = [];
  const heads = await store.read((tx) => headsOf(tx, authority));
  for (const [at, head] of heads.entries()) {
    if (at % SLICE_HEADS === SLICE_HEADS - 1) await turn();
    const last = found[wanted - 1];
    // Heads are ordered by their newest event, so no later head has a newer one.
    if (last !== undefined && head.recordedAtMillis < last.recordedAtMillis) break;
    const more = await searchOne(query, { head, filter, position, wanted });
    found = [...found, ...more].sort(newestFirst).slice(0, wanted);
  }
  return found;
}

async function searchOne(
  { runtime, turn }: AuditQuery,
  part: {
    readonly head: AuditHead;
    readonly filter: EventFilter;
    readonly position: Position | undefined;
    readonly wanted: number;
  },
): Promise<RecordedEvent[]> {
  const { head, filter, position, wanted } = part;
  const { authority } = head;
  const events: RecordedEvent[] = [];
  let below: number | undefined = await runtime.store.read((tx) =>
    Math.min(startOf(tx, head, filter), belowPosition(tx, head, position)),
  );
  for (;;) {
    const from: SliceBounds = { below, wanted: wanted - events.length };
    const slice: FoundSlice = await runtime.store.read((tx) =>
      searchSlice(tx, authority, filter, from),
    );
    events.push(...slice.events);
    below = slice.below;
    if (below === undefined || events.length === wanted) return events;
    await turn();
  }
}

function headsOf(tx: ReadTx, authority: string): AuditHead[] {
  if (authority !== ALL) {
    const head = findHead(tx, authority);
    if (head !== undefined) return [head];
    // Without a head, nothing says which events are kept. An empty list would hide the loss.
    if (hasBlocks(tx, authority)) throw new AgentkeepError('storage_inconsistency');
    return [];
  }
  const heads: AuditHead[] = [];
  let some: AuditHead[];
  do {
    some = listHeads(tx, heads.at(-1)?.authority, HEADS_AT_ONCE);
    heads.push(...some);
  } while (some.length === HEADS_AT_ONCE);
  return heads.sort((one, other) => other.recordedAtMillis - one.recordedAtMillis);
}

/** Compares by time of recording, then authority, then order of commit; newest first. */
function newestFirst(one: RecordedEvent, other: RecordedEvent): number {
  if (one.recordedAtMillis !== other.recordedAtMillis) {
    return other.recordedAtMillis - one.recordedAtMillis;
  }
  if (one.authority !== other.authority) return one.authority < other.authority ? 1 : -1;
  return other.sequence - one.sequence;
}

/** Returns the sequence number below which a page continues in an authority. */
function belowPosition(tx: ReadTx, head: AuditHead, position: Position | undefined): number {
  if (position === undefined) return head.next;
  const [millis, authority, sequence] = position;
  if (head.authority === authority) return sequence;
  return sequenceBehind(tx, head, head.authority < authority ? millis : millis - 1);
}

function positionBehind({ recordedAtMillis, authority, sequence }: RecordedEvent): Position {
  return [recordedAtMillis, authority, sequence];
}

/** Parses the position of a cursor, whose digest is already checked. */
function positionOf(text: string): Position {
  try {
    return JSON.parse(text) as Position;
  } catch (cause) {
    throw new AgentkeepError('invalid_request', { members: [staleCursor], cause });
  }
}

function filterOf(
  parameters: AuditParameters,
  keptFromMillis: number,
  maxEvents: number,
): EventFilter {
  const { start_time: start, end_time: end } = parameters;
  return {
    values: indexedMembers.flatMap((member): EventFilter['values'] => {
      const value = parameters[member];
      return value === undefined ? [] : [[member, eventText(value)]];
    }),
    fromMillis: start === undefined ? -Infinity : (rfc3339Millis(start, 'up') ?? Infinity),
    toMillis: end === undefined ? Infinity : (rfc3339Millis(end) ?? -Infinity),
    keptFromMillis,
    maxEvents,
  };
}

/** Returns the filters of a query as one text. Its cursors are bound to that text. */
function filterText(parameters: AuditParameters): string {
  const { start_time, end_time } = parameters;
  return JSON.stringify([
    ...indexedMembers.map((member) => parameters[member]),
    start_time,
    end_time,
  ]);
}
