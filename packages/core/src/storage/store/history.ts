/** Histories: one event for each revision of a resource, from 1 on. Answers show a part. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { HISTORY_BYTES_MAX, HISTORY_EVENTS_MAX } from '../../contract/limits.js';
import { copyJson } from '../../contract/schema/json-copy.js';
import type { ReadTx } from './store.js';
import type { Measured, Subspace } from './subspace.js';

/** The events of one kind of resource, by id and revision. */
type Events<E> = Subspace<readonly ['uuid', 'integer'], E>;

/** A resource with a history. */
export interface Recorded {
  /** Tenant part of its keys. */
  readonly authority: string;
  readonly id: string;
  readonly revision: number;
}

/** A part of a history. */
export interface HistoryPart {
  /** Events of revisions below this one. Default: all. */
  readonly before?: number | undefined;
  /** Most events. Default and greatest: {@link HISTORY_EVENTS_MAX}. */
  readonly limit?: number | undefined;
}

/**
 * Returns the newest events of a resource, oldest first. There are fewer than `limit`, but at least
 * one, where they would exceed {@link HISTORY_BYTES_MAX} bytes.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
 */
export function newestEvents<E extends { readonly revision: number }>(
  tx: ReadTx,
  events: Events<E>,
  recorded: Recorded,
  part?: HistoryPart,
): E[] {
  if (part !== undefined) return readEvents(tx, events, recorded, part).value;
  const { authority, id, revision } = recorded;
  const known = events.grouped(tx, authority, [id], () => {
    const { value, bytes } = readEvents(tx, events, recorded, {});
    return { value: { revision, newest: value }, bytes };
  });
  if (known.revision !== revision) return readEvents(tx, events, recorded, {}).value;
  // A copy, because the events are remembered, and answers belong to their callers.
  return copyJson(known.newest);
}

function readEvents<E extends { readonly revision: number }>(
  tx: ReadTx,
  events: Events<E>,
  { authority, id, revision }: Recorded,
  { before = Infinity, limit = HISTORY_EVENTS_MAX }: HistoryPart,
): Measured<E[]> {
  const last = Math.min(before - 1, revision);
  const newest: E[] = [];
  let bytes = 0;
  let isFull = false;
  const end: [string, number] = [id, last + 1];
  const span = { prefix: [id] as [string], before: end, reverse: true, limit };
  for (const { key, value } of events.entries(tx, authority, span)) {
    bytes += value.length;
    isFull = newest.length > 0 && bytes > HISTORY_BYTES_MAX;
    if (isFull) break;
    newest.push(events.open(key, value));
  }
  const isWhole = newest.every((event, index) => event.revision === last - index);
  const isEnded = isFull || newest.length === limit || newest.length === last;
  if (!isWhole || !isEnded) throw new AgentkeepError('storage_inconsistency');
  return { value: newest.reverse(), bytes };
}
