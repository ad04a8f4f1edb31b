/** How long items live, and how reads extend their lives. */
import type {
  MemoryRecord,
  RecordInput,
  RecordTarget,
  ScopedMemory,
  SearchFilterInput,
} from '@agentkeep/client';
import { isOvertaken } from '../is-overtaken.js';
import { someAtOnce } from './at-once.js';
import { tagBelow } from './namespace-tags.js';

/** How long items of a store live. */
export interface ItemLifetime {
  /** Minutes that an item lives when its put says nothing; 0 is forever. Default: forever. */
  readonly defaultTtl?: number | undefined;
  /**
   * Whether an item that is read, by `get` or `search`, lives as long again from then on. An item
   * is written for it once a tenth of its time has passed. Default: false.
   */
  readonly refreshOnRead?: boolean | undefined;
}

/** Options of a put. */
export interface PutOptions {
  /** Minutes that the item lives; 0 is forever. Default: that of the store. */
  readonly ttl?: number | undefined;
}

/** The members of a record about the lifetime of its item. */
export type RecordLifetime = Pick<RecordInput, 'valid_until_millis'> & {
  readonly metadata: { readonly ttl_minutes?: number };
};

const MINUTE_MS = 60_000;

/** The greatest remaining part of its time at which a read extends the life of an item. */
const LEFT_MAX = 0.9;

/**
 * Returns the lifetime members of the record of an item that lives for some minutes from now on.
 */
export function lifetimeOf(minutes: number | undefined): RecordLifetime {
  if (minutes === undefined || minutes === 0) return { metadata: {} };
  if (!Number.isFinite(minutes) || minutes < 0) {
    throw new TypeError('A ttl is a number of minutes, or 0 for an item that lives forever.');
  }
  const end = Math.ceil(Date.now() + minutes * MINUTE_MS);
  return { valid_until_millis: end, metadata: { ttl_minutes: minutes } };
}

/** Extends the lives of the items of records that were read. */
export async function refreshAll(
  memory: ScopedMemory,
  records: readonly MemoryRecord[],
): Promise<void> {
  await someAtOnce(records, async ({ name, revision, payload }) => {
    const end = nextEnd(payload);
    if (name === undefined || end === undefined) return;
    const record = { ...payload, valid_until_millis: end };
    await unlessOvertaken(
      memory.batch([{ type: 'put', name, record, expected_revision: revision }]),
    );
  });
}

/** Returns the new end of an item that is read now, if it has to be written. */
function nextEnd({ valid_until_millis: end, metadata }: MemoryRecord['payload']) {
  const { ttl_minutes: minutes } = metadata as RecordLifetime['metadata'];
  if (end === null || typeof minutes !== 'number') return undefined;
  const left = (end - Date.now()) / MINUTE_MS;
  return left > LEFT_MAX * minutes ? undefined : lifetimeOf(minutes).valid_until_millis;
}

/** Deletes the items that have ended, and returns how many of them. */
export async function deleteEnded(memory: ScopedMemory): Promise<number> {
  const ended: RecordTarget[] = [];
  const filter: SearchFilterInput = { tags: { all: [tagBelow([])] }, expired: 'only' };
  for await (const { record } of memory.search(filter, { order: 'oldest', limit: 100 })) {
    ended.push({ recordId: record.record_id, expectedRevision: record.revision });
  }
  const deleted = await someAtOnce(ended, (item) => unlessOvertaken(memory.delete(item)));
  return deleted.filter(Boolean).length;
}

/** Returns whether a change was made. It is not needed if another writer was faster. */
async function unlessOvertaken(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
}
