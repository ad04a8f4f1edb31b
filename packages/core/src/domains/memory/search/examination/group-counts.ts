/** Numbers of matches by type, tag, author and UTC day. Counts of several pages add up. */
import type { StoredRecord } from '../../record/record-layout.js';
import type { EpisodeType } from '../../documents/schema.js';
import type { CountedBy, SearchCounts } from '../documents/counts-schema.js';

const DAY_MILLIS = 86_400_000;

const encoder = new TextEncoder();

/** About the bytes of the names in a shown group. */
const GROUP_FRAME_BYTES = 40;

/** Something that a match is counted by. */
type GroupValue = string | number | Exclude<EpisodeType, string>;

/** A value that a match has. */
export interface Group {
  readonly by: CountedBy;
  readonly value: GroupValue;
}

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

interface GroupCount {
  readonly value: GroupValue;
  matches: number;
}

/** Counts matches. */
export class GroupCounts {
  readonly #groups = new Map<CountedBy, Map<string, GroupCount>>();
  #matches = 0;
  #size = 0;
  #bytes = 0;

  constructor(wanted: readonly CountedBy[]) {
    for (const by of wanted) this.#groups.set(by, new Map());
  }

  /** Number of matches. */
  get matches(): number {
    return this.#matches;
  }

  /** Number of groups. */
  get size(): number {
    return this.#size;
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
      if (this.#groups.get(by)?.has(name) === true) continue;
      size += 1;
      bytes += encoder.encode(name).length + GROUP_FRAME_BYTES;
    }
    return { size, bytes };
  }

  /** Counts a match. */
  add(groups: readonly Group[]): void {
    const { size, bytes } = this.newAmong(groups);
    this.#matches += 1;
    this.#size += size;
    this.#bytes += bytes;
    for (const { by, value } of groups) this.#count(by, value, 1);
  }

  /** Counts matches that have no groups. */
  addMatches(matches: number): void {
    this.#matches += matches;
  }

  /** Adds the counts of a page. */
  addAll(counts: SearchCounts): void {
    this.#matches += counts.matches;
    for (const [by, shown] of shownGroups(counts)) {
      for (const { value, matches } of shown) this.#count(by, value, matches);
    }
  }

  /** Returns the counts as answers show them: most matches first, then by value. */
  shown(): SearchCounts {
    const sorted = (by: CountedBy) => {
      const groups = this.#groups.get(by);
      return groups === undefined ? undefined : [...groups.values()].sort(byMatches);
    };
    const days = (by: CountedBy) =>
      sorted(by)?.map(({ value, matches }) => ({ from_millis: value as number, matches }));
    const [types, tags, authors] = [sorted('type'), sorted('tag'), sorted('author')];
    const [events, created, modified] = [
      days('event_day'),
      days('created_day'),
      days('modified_day'),
    ];
    return {
      matches: this.#matches,
      ...(types && {
        types: types.map(({ value, matches }) => ({ episode_type: value as EpisodeType, matches })),
      }),
      ...(tags && { tags: tags.map(({ value, matches }) => ({ tag: value as string, matches })) }),
      ...(authors && {
        authors: authors.map(({ value, matches }) => ({ subject_id: value as string, matches })),
      }),
      ...(events && { event_days: events }),
      ...(created && { created_days: created }),
      ...(modified && { modified_days: modified }),
    };
  }

  #count(by: CountedBy, value: GroupValue, matches: number): void {
    const groups = this.#groups.get(by);
    const name = nameOf(value);
    const known = groups?.get(name);
    if (known === undefined) groups?.set(name, { value, matches });
    else known.matches += matches;
  }
}

function shownGroups(counts: SearchCounts): [CountedBy, GroupCount[]][] {
  const { types = [], tags = [], authors = [] } = counts;
  const { event_days = [], created_days = [], modified_days = [] } = counts;
  const days = (all: typeof event_days) =>
    all.map(({ from_millis: value, matches }) => ({ value, matches }));
  return [
    ['type', types.map(({ episode_type: value, matches }) => ({ value, matches }))],
    ['tag', tags.map(({ tag: value, matches }) => ({ value, matches }))],
    ['author', authors.map(({ subject_id: value, matches }) => ({ value, matches }))],
    ['event_day', days(event_days)],
    ['created_day', days(created_days)],
    ['modified_day', days(modified_days)],
  ];
}

function nameOf(value: GroupValue): string {
  return JSON.stringify(value);
}

function byMatches(one: GroupCount, other: GroupCount): number {
  return other.matches - one.matches || compareValues(one.value, other.value);
}

/** Numbers ascend, texts by UTF-16 units; custom types come last. */
function compareValues(one: GroupValue, other: GroupValue): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [isCustom, isOtherCustom] = [typeof one === 'object', typeof other === 'object'];
  if (isCustom !== isOtherCustom) return isCustom ? 1 : -1;
  return textOf(one) < textOf(other) ? -1 : 1;
}

function textOf(value: GroupValue): string {
  return typeof value === 'object' ? value.Custom : String(value);
}
