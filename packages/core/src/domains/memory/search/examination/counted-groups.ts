/** Counts records by their types, tags, authors and UTC days, and bounds what that takes. */
import type { StoredRecord } from '../../record/record-layout.js';
import type { CountedBy } from '../documents/counts-schema.js';
import { type Group, GroupCounts, type GroupValue, nameOf } from './group-counts.js';

const DAY_MILLIS = 86_400_000;

const encoder = new TextEncoder();

/** About the bytes of the names in a shown group. */
const GROUP_FRAME_BYTES = 40;

type Counted = Pick<StoredRecord, 'author' | 'createdAtMillis' | 'modifiedAtMillis' | 'payload'>;

/** Returns the groups of a record, each once. */
export function groupsOf(record: Counted, wanted: readonly CountedBy[]): Group[] {
  return wanted.flatMap((by) => valuesOf(record, by).map((value) => ({ by, value })));
}

function valuesOf(record: Counted, by: CountedBy): readonly GroupValue[] {
  const { author, payload, createdAtMillis, modifiedAtMillis } = record;
  if (payload === null) return [];
  switch (by) {
    case 'type':
      return [payload.episode_type];
    case 'tag':
      return [...new Set(payload.tags)];
    case 'author':
      return [author.subject_id];
    case 'event_day':
      return [dayOf(payload.event_time_millis)];
    case 'created_day':
      return [dayOf(createdAtMillis)];
    case 'modified_day':
      return [dayOf(modifiedAtMillis)];
  }
}

/** Returns the first millisecond of the UTC day of a time. */
function dayOf(millis: number): number {
  return Math.floor(millis / DAY_MILLIS) * DAY_MILLIS;
}

/** Counts matches, and knows how large the answer gets. */
export class CountedGroups extends GroupCounts {
  readonly #known = new Set<string>();
  #bytes = 0;

  /** Number of groups. */
  get size(): number {
    return this.#known.size;
  }

  /** About the bytes of the groups in an answer. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns how many of some groups are new, and about their bytes in an answer. */
  newAmong(groups: readonly Group[]): { readonly size: number; readonly bytes: number } {
    let [size, bytes] = [0, 0];
    for (const { by, value } of groups) {
      const name = nameOf(value);
      if (this.#known.has(by + name)) continue;
      size += 1;
      bytes += encoder.encode(name).length + GROUP_FRAME_BYTES;
    }
    return { size, bytes };
  }

  /** Counts a match. */
  add(groups: readonly Group[]): void {
    this.#bytes += this.newAmong(groups).bytes;
    this.addMatches(1);
    for (const { by, value } of groups) {
      this.#known.add(by + nameOf(value));
      this.count(by, value, 1);
    }
  }
}
