/** What each member of a filter asks of records, and how much of it their search entries decide. */
import type { FactValue, NamedFact, WantedTerms } from '../../../../kernel/ports/memory-scan.js';
import type { JsonValue } from '../../../../contract/schema/json.js';
import type { EpisodeType, RecordPayload } from '../../documents/schema.js';
import type { StoredRecord } from '../../record/record-layout.js';
import { foldText } from '../../text/fold-text.js';
import type { SearchFilter, TagFilter, TimeFilter } from '../documents/schema.js';
import { embeddingOf } from './embedding-of.js';
import type { WantedWords } from './find-words.js';
import { memberTest, memberValue } from './match-member.js';
import { calledBy, namesIn } from './names-in.js';

/** A record that is not deleted. */
export type Current = Omit<StoredRecord, 'payload'> & { readonly payload: RecordPayload };

/** Decides on a record. Its texts are folded when they are asked for. */
type Test = (record: Current, texts: () => readonly string[]) => boolean;

/** What is true of the search entry of every match. */
interface EntryNeeds {
  /** A part of one of its folded texts. */
  readonly text?: string;
  /** Such parts that follow from the terms. */
  readonly parts?: readonly string[];
  readonly terms?: WantedTerms | undefined;
  readonly type?: EpisodeType | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Whether its time has not ended. */
  readonly isUnended?: boolean;
  /** Whether its time has not ended, or its record says that another one superseded it. */
  readonly isUnendedOrSuperseded?: boolean;
}

/** A value of a record, and what it must be. */
export interface Fact<V = FactValue> {
  readonly name: string;
  /** Returns the value. An object or an array is tested, but never held. */
  readonly valueOf: (record: Current) => V | FactValue;
  readonly test: (value: V | FactValue) => boolean;
}

/** What one member asks for. */
export interface Asked {
  readonly test: Test;
  /** Absent if entries say nothing about it. */
  readonly entries?: EntryNeeds;
  /** The facts that decide together; absent where others do. */
  readonly facts?: readonly Fact<JsonValue>[];
  /** Whether the record of every such entry passes the test, of an ended one that of its record. */
  readonly isDecidedByEntries: boolean;
}

/** What a filter is compiled with. */
export interface FilterContext {
  readonly nowMs: number;
  /** The words of the filter; undefined where it asks for none. */
  readonly words: WantedWords | undefined;
  /** The embedding space that is asked about. */
  readonly space: string;
  /** Whether records that a successor ended count as not expired. */
  readonly withSuperseded: boolean;
}

/**
 * A row for every member. Its function is called only for members that are given; it returns
 * `undefined` for a value that all records match.
 */
export type FilterMembers = { readonly [M in keyof Required<SearchFilter>]: FilterMember<M> };

type FilterMember<M extends keyof SearchFilter> = (
  wanted: NonNullable<SearchFilter[M]>,
  context: FilterContext,
) => Asked | undefined;

/** A condition of a filter, and whether a record meets it. */
export interface Condition {
  /** The member of the filter, such as `tags` or `members[0]`. */
  readonly path: string;
  readonly holds: boolean;
}

/** All members. Tests run in this order, so the texts, which take longest, come last. */
export const filterMembers: FilterMembers = {
  expired: (expired, { nowMs, withSuperseded }) => {
    if (expired === 'included') return undefined;
    const endsByNow = (end: unknown) => isTime(end) && end <= nowMs;
    if (expired === 'only') return byFacts({ ...VALID_UNTIL, test: endsByNow });
    return {
      test: ({ payload }) =>
        !endsByNow(payload.valid_until_millis) ||
        (withSuperseded && payload.superseded_by !== undefined),
      entries: withSuperseded ? { isUnendedOrSuperseded: true } : { isUnended: true },
      isDecidedByEntries: true,
    };
  },
  // What it changes is decided together with `expired`.
  include_superseded: () => undefined,
  valid_at_millis: (atMs) =>
    byFacts(
      { ...EVENT_TIME, test: (time) => isTime(time) && time <= atMs },
      { ...VALID_UNTIL, test: (end) => !(isTime(end) && end <= atMs) },
    ),
  episode_types: (wanted) => {
    const types = new Set<unknown>(wanted.map((type) => JSON.stringify(type)));
    const [type, ...others] = wanted;
    const asked = byFacts({
      name: 'episode_type',
      valueOf: ({ payload }) => JSON.stringify(payload.episode_type),
      test: (text) => types.has(text),
    });
    return others.length > 0 ? asked : { ...asked, entries: { type }, isDecidedByEntries: true };
  },
  tags: (wanted) => {
    const hasTags = tagTest(wanted);
    const asked = byFacts({
      name: 'tags',
      // In one text, since arrays are not held.
      valueOf: ({ payload }) => JSON.stringify(payload.tags),
      test: (text) => typeof text === 'string' && hasTags(JSON.parse(text) as string[]),
    });
    const isDecidedByEntries = wanted.any === undefined && wanted.none === undefined;
    const test: Test = ({ payload }) => hasTags(payload.tags);
    return { ...asked, test, entries: { tags: wanted.all }, isDecidedByEntries };
  },
  author: ({ subject_id: subject, credential_id: credential }) =>
    byFacts(
      {
        name: 'author.subject_id',
        valueOf: ({ author }) => author.subject_id,
        test: (id) => subject === null || id === subject,
      },
      {
        name: 'author.credential_id',
        valueOf: ({ author }) => author.credential_id,
        test: (id) => credential === null || id === credential,
      },
    ),
  embedded: (wanted, { space }) =>
    byFacts({
      name: `embedded in ${space}`,
      valueOf: (record) => embeddingOf(record, space).length > 0,
      test: (isEmbedded) => isEmbedded === wanted,
    }),
  name_prefix: (prefix) =>
    byFacts({
      name: 'name',
      valueOf: ({ name }) => name,
      test: (name) => typeof name === 'string' && name.startsWith(prefix),
    }),
  named_in: (text) => {
    const isNamed = namesIn(text);
    return byFacts({
      name: 'names',
      // In one text, since arrays are not held.
      valueOf: ({ name, payload }) => JSON.stringify([calledBy(name ?? ''), ...payload.tags]),
      test: (names) => typeof names === 'string' && (JSON.parse(names) as string[]).some(isNamed),
    });
  },
  sources: (wanted) =>
    byFacts({
      name: 'source',
      valueOf: ({ payload }) => payload.source ?? null,
      test: (source) => wanted.some((each) => each === source),
    }),
  derived_from: ({ record_id: recordId, revision }) => ({
    test: ({ payload }) =>
      payload.derived_from?.some(
        (each) => each.record_id === recordId && (revision === null || each.revision === revision),
      ) === true,
    isDecidedByEntries: false,
  }),
  event_time: (span) => byFacts({ ...EVENT_TIME, test: isWithin(span) }),
  created: (span) =>
    byFacts({
      name: 'created',
      valueOf: ({ createdAtMillis }) => createdAtMillis,
      test: isWithin(span),
    }),
  modified: (span) =>
    byFacts({
      name: 'modified',
      valueOf: ({ modifiedAtMillis }) => modifiedAtMillis,
      test: isWithin(span),
    }),
  members: (wanted) =>
    byFacts(
      ...wanted.map((filter) => ({
        name: JSON.stringify([filter.of, ...filter.path]),
        valueOf: ({ payload }: Current) => memberValue(payload, filter),
        test: memberTest(filter),
      })),
    ),
  text_contains: (wanted) => {
    if (wanted === '') return undefined;
    const contained = foldText(wanted);
    return {
      test: (_record, texts) => texts().some((text) => text.includes(contained)),
      entries: { text: contained },
      isDecidedByEntries: true,
    };
  },
  words: (_wanted, { words }) =>
    words && {
      test: (_record, texts) => words.isMatch(words.bitsIn(texts())),
      entries: { terms: words, parts: words.needed },
      isDecidedByEntries: true,
    },
};

const MEMBERS = Object.keys(filterMembers) as (keyof SearchFilter)[];

/** What a member of a filter asks for. */
export interface AskedMember extends Asked {
  readonly member: keyof SearchFilter;
}

/** Returns what a filter asks for, one item for each member that does not match all records. */
export function askedBy(filter: SearchFilter, context: FilterContext): readonly AskedMember[] {
  return MEMBERS.flatMap((member) => {
    const asked = askedOf(member, filter[member], context);
    return asked === undefined ? [] : { ...asked, member };
  });
}

/** Returns the conditions of a member, and whether a record meets them. */
export function conditionsOf(
  { member, test, facts = [] }: AskedMember,
  record: Current,
  texts: () => readonly string[],
): readonly Condition[] {
  if (member !== 'members') return [{ path: member, holds: test(record, texts) }];
  return facts.map((fact, index) => ({
    path: `${member}[${index}]`,
    holds: fact.test(fact.valueOf(record)),
  }));
}

function askedOf<M extends keyof SearchFilter>(
  member: M,
  wanted: SearchFilter[M] | undefined,
  context: FilterContext,
): Asked | undefined {
  const row: FilterMembers[M] = filterMembers[member];
  return wanted === null || wanted === undefined ? undefined : row(wanted, context);
}

/** Facts of the record decide. */
function byFacts(...facts: readonly Fact<JsonValue>[]): Asked {
  return {
    test: (record) => facts.every(({ valueOf, test }) => test(valueOf(record))),
    facts,
    isDecidedByEntries: false,
  };
}

const EVENT_TIME = {
  name: 'event_time',
  valueOf: ({ payload }: Current) => payload.event_time_millis,
};

const VALID_UNTIL = {
  name: 'valid_until',
  valueOf: ({ payload }: Current) => payload.valid_until_millis,
};

function isTime(value: unknown): value is number {
  return typeof value === 'number';
}

function isWithin({ from_millis: from, before_millis: before }: TimeFilter) {
  return (time: unknown) =>
    isTime(time) && (from === null || time >= from) && (before === null || time < before);
}

/** Text of more UTF-16 units is not held as a fact. */
const HELD_CHARS_MAX = 64;

/** Returns the facts of a record that are small enough to be held. */
export function heldFactsOf(record: Current, facts: readonly Fact<JsonValue>[]): NamedFact[] {
  return facts.flatMap(({ name, valueOf }) => {
    const value = valueOf(record);
    if (typeof value === 'string' && value.length > HELD_CHARS_MAX) return [];
    return typeof value === 'object' && value !== null ? [] : { name, value };
  });
}

function tagTest({ all = [], any, none = [] }: TagFilter): (tags: readonly string[]) => boolean {
  return (tags) =>
    all.every((tag) => tags.includes(tag)) &&
    (any === undefined || any.some((tag) => tags.includes(tag))) &&
    !none.some((tag) => tags.includes(tag));
}
