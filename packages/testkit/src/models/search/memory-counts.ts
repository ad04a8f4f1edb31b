/** Counts of searches from the contract alone (docs/contract/search.md#sea-33). */
import type { CountedBy, MemoryRecord, SearchCounts } from '@agentkeep/core';
import { sorted } from '../memory-command.js';

const GROUPS_MAX = 1_000;

/** The value of a group in the order of equal groups. */
type Value = number | string;

/** What a record is counted by; values of one kind differ. */
function valuesOf({ payload, author, ...record }: MemoryRecord, by: CountedBy): Value[] {
  const type = payload.episode_type;
  const days = {
    event_day: payload.event_time_millis,
    created_day: record.created_at_millis,
    modified_day: record.modified_at_millis,
  };
  if (by === 'tag') return payload.tags.filter((tag, at) => payload.tags.indexOf(tag) === at);
  if (by === 'author') return [author.subject_id];
  // A named type begins with a capital letter, so a custom one comes behind it.
  if (by === 'type') return [typeof type === 'string' ? type : `~${type.Custom}`];
  return [Date.parse(new Date(days[by]).toISOString().replace(/T.*/u, 'T00:00:00.000Z'))];
}

const members: Readonly<Record<CountedBy, readonly [keyof SearchCounts, string]>> = {
  type: ['types', 'episode_type'],
  tag: ['tags', 'tag'],
  author: ['authors', 'subject_id'],
  event_day: ['event_days', 'from_millis'],
  created_day: ['created_days', 'from_millis'],
  modified_day: ['modified_days', 'from_millis'],
};

/** The counts of some records. */
export function countedAmong(
  records: readonly MemoryRecord[],
  by: readonly CountedBy[],
): SearchCounts {
  const groups = by.map((each) => {
    const all = records.flatMap((record) => valuesOf(record, each));
    const values = [...new Set(all)].sort((one, other) => (one < other ? -1 : 1));
    const [array, member] = members[each];
    const counted = values.map((value) => ({
      [member]: each === 'type' ? typeOf(String(value)) : value,
      matches: all.filter((other) => other === value).length,
    }));
    return [array, counted.sort((one, other) => other.matches - one.matches)] as const;
  });
  return { matches: records.length, ...Object.fromEntries(groups) };
}

function typeOf(value: string): unknown {
  return value.startsWith('~') ? { Custom: value.slice(1) } : value;
}

/** Whether a page that has counted some records may count another one. */
export function hasRoomFor(
  record: MemoryRecord,
  counted: readonly MemoryRecord[],
  by: readonly CountedBy[],
): boolean {
  const groupsOf = (records: readonly MemoryRecord[]) =>
    new Set(
      records.flatMap((each) =>
        by.flatMap((one) => valuesOf(each, one).map((value) => sorted([one, value]))),
      ),
    ).size;
  const [before, after] = [groupsOf(counted), groupsOf([...counted, record])];
  return counted.length === 0 || after === before || after <= GROUPS_MAX;
}
