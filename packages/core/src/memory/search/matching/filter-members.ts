/** What each member of a filter asks of records, and how much of it their search entries decide. */
import type { WantedTerms } from '../../../runtime/ports/memory-scan.js';
import type { EpisodeType, RecordPayload } from '../../documents/schema.js';
import type { StoredRecord } from '../../record/record-layout.js';
import { foldCase } from '../../text/case-fold.js';
import type { SearchFilter, TagFilter, TimeFilter } from '../documents/schema.js';
import { embeddingOf } from './embedding-of.js';
import type { WantedWords } from './find-words.js';
import { memberTest } from './match-member.js';

/** A record that is not deleted. */
type Current = Omit<StoredRecord, 'payload'> & { readonly payload: RecordPayload };

/** Decides on a record. Its texts are folded when they are asked for. */
type Test = (record: Current, texts: () => readonly string[]) => boolean;

/** What is true of the search entry of every match. */
export interface EntryNeeds {
  /** A part of one of its folded texts. */
  readonly text?: string;
  /** Such parts that follow from the terms. */
  readonly parts?: readonly string[];
  readonly terms?: WantedTerms | undefined;
  readonly type?: EpisodeType | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Whether its time has not ended. */
  readonly isUnended?: boolean;
}

/** What one member asks for. */
export interface Asked {
  readonly test: Test;
  /** Absent if entries say nothing about it. */
  readonly entries?: EntryNeeds;
  /** Whether the record of every such entry passes the test. */
  readonly isDecidedByEntries: boolean;
}

/** What a filter is compiled with. */
export interface FilterContext {
  readonly nowMs: number;
  /** The words of the filter, if it has any. */
  readonly words: WantedWords | undefined;
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

/** All members. Tests run in this order, so the texts, which take longest, come last. */
export const filterMembers: FilterMembers = {
  expired: (expired, { nowMs }) => {
    if (expired === 'included') return undefined;
    const isHidden = expired === 'hidden';
    return {
      test: ({ payload }) => endsBy(payload, nowMs) !== isHidden,
      entries: { isUnended: isHidden },
      isDecidedByEntries: isHidden,
    };
  },
  valid_at_millis: (atMs) =>
    byRecord(({ payload }) => payload.event_time_millis <= atMs && !endsBy(payload, atMs)),
  episode_types: (wanted) => {
    const types = wanted.map((type) => JSON.stringify(type));
    const [type, ...others] = wanted;
    return {
      test: ({ payload }) => types.includes(JSON.stringify(payload.episode_type)),
      entries: { type: others.length === 0 ? type : undefined },
      isDecidedByEntries: others.length === 0,
    };
  },
  tags: (wanted) => ({
    test: tagTest(wanted),
    entries: { tags: wanted.all },
    isDecidedByEntries: wanted.any === undefined && wanted.none === undefined,
  }),
  author: ({ subject_id, credential_id }) =>
    byRecord(
      ({ author }) =>
        (subject_id === null || subject_id === author.subject_id) &&
        (credential_id === null || credential_id === author.credential_id),
    ),
  embedded: (wanted) => byRecord((record) => embeddingOf(record).length > 0 === wanted),
  name_prefix: (prefix) => byRecord(({ name }) => name?.startsWith(prefix) === true),
  event_time: (span) => byTime(span, ({ payload }) => payload.event_time_millis),
  created: (span) => byTime(span, ({ createdAtMillis }) => createdAtMillis),
  modified: (span) => byTime(span, ({ modifiedAtMillis }) => modifiedAtMillis),
  members: (wanted) => {
    const tests = wanted.map(memberTest);
    return byRecord(({ payload }) => tests.every((test) => test(payload)));
  },
  text_contains: (wanted) => {
    if (wanted === '') return undefined;
    const contained = foldCase(wanted);
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

/** Returns what a filter asks for, one item for each member that does not match all records. */
export function askedBy(filter: SearchFilter, context: FilterContext): readonly Asked[] {
  return MEMBERS.map((member) => askedOf(member, filter[member], context)).filter(
    (asked) => asked !== undefined,
  );
}

function askedOf<M extends keyof SearchFilter>(
  member: M,
  wanted: SearchFilter[M] | undefined,
  context: FilterContext,
): Asked | undefined {
  const row: FilterMembers[M] = filterMembers[member];
  return wanted === null || wanted === undefined ? undefined : row(wanted, context);
}

/** Only the record decides. */
function byRecord(test: (record: Current) => boolean): Asked {
  return { test, isDecidedByEntries: false };
}

function byTime(
  { from_millis: from, before_millis: before }: TimeFilter,
  timeOf: (record: Current) => number,
): Asked {
  return byRecord((record) => {
    const time = timeOf(record);
    return (from === null || time >= from) && (before === null || time < before);
  });
}

function tagTest({ all = [], any, none = [] }: TagFilter): Test {
  return ({ payload: { tags } }) =>
    all.every((tag) => tags.includes(tag)) &&
    (any === undefined || any.some((tag) => tags.includes(tag))) &&
    !none.some((tag) => tags.includes(tag));
}

function endsBy({ valid_until_millis: end }: RecordPayload, atMs: number): boolean {
  return end !== null && end <= atMs;
}
