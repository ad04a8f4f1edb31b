/** Numbers of matches by type, tag, author and UTC day, as answers show them. */
import type { EpisodeType } from '../../documents/schema.js';
import type { CountedBy, SearchCounts } from '../documents/counts-schema.js';

/** Something that a match is counted by. */
export type GroupValue = string | number | Exclude<EpisodeType, string>;

/** A value that a match has. */
export interface Group {
  readonly by: CountedBy;
  readonly value: GroupValue;
}

/** The member of the counts with the groups of a kind, and that of a group with its value. */
const shapes = {
  type: ['types', 'episode_type'],
  tag: ['tags', 'tag'],
  author: ['authors', 'subject_id'],
  event_day: ['event_days', 'from_millis'],
  created_day: ['created_days', 'from_millis'],
  modified_day: ['modified_days', 'from_millis'],
} as const satisfies Readonly<Record<CountedBy, readonly [keyof SearchCounts, string]>>;
const kinds = Object.entries(shapes) as [CountedBy, (typeof shapes)[CountedBy]][];

/** A group in counts. */
type ShownGroup = Readonly<Record<string, GroupValue>> & { readonly matches: number };

interface GroupCount {
  readonly value: GroupValue;
  matches: number;
}

/** Adds up the counts of pages. */
export class GroupCounts {
  readonly #groups = new Map<CountedBy, Map<string, GroupCount>>();
  #matches = 0;

  constructor(wanted: readonly CountedBy[]) {
    for (const by of wanted) this.#groups.set(by, new Map());
  }

  /** Number of matches. */
  get matches(): number {
    return this.#matches;
  }

  /** Counts matches that have no groups. */
  addMatches(matches: number): void {
    this.#matches += matches;
  }

  /** Adds the counts of a page. */
  addAll(counts: SearchCounts): void {
    this.addMatches(counts.matches);
    for (const [by, [list, member]] of kinds) {
      const groups = (counts[list] ?? []) as readonly ShownGroup[];
      for (const group of groups) this.count(by, group[member] as GroupValue, group.matches);
    }
  }

  /** Returns the counts as answers show them: most matches first, then by value. */
  shown(): SearchCounts {
    const lists = kinds.flatMap(([by, [list, member]]) => {
      const groups = this.#groups.get(by);
      if (groups === undefined) return [];
      const shown = [...groups.values()]
        .sort(byMatches)
        .map(({ value, matches }) => ({ [member]: value, matches }));
      return [[list, shown]];
    });
    return { matches: this.#matches, ...Object.fromEntries(lists) } as SearchCounts;
  }

  /** Counts matches in a group. */
  protected count(by: CountedBy, value: GroupValue, matches: number): void {
    const groups = this.#groups.get(by);
    const name = nameOf(value);
    const known = groups?.get(name);
    if (known === undefined) groups?.set(name, { value, matches });
    else known.matches += matches;
  }
}

/** Returns the name of a value, which no other value has. */
export function nameOf(value: GroupValue): string {
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
