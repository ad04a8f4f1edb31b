/** What each member of a filter asks of records and of their search entries. */
import { expect, test } from 'vitest';
import type { RecordPayload } from '../../documents/schema.js';
import type { StoredRecord } from '../../record/record-layout.js';
import { searchLayout, searchPartsOf } from '../../record/search-entry.js';
import { everything, type SearchFilter } from '../documents/schema.js';
import { compileSearch } from './compiled-search.js';
import { type FilterMembers, filterMembers } from './filter-members.js';

const NOW_MS = 1_000;

type Given = Partial<Omit<StoredRecord, 'payload'>> &
  Partial<Omit<RecordPayload, 'content'>> &
  Partial<RecordPayload['content']>;

function recordWith(given: Given): StoredRecord {
  const { primary = 'Green tea', data = null, embedding = null } = given;
  const { name = null, author, createdAtMillis = 0, modifiedAtMillis = 0 } = given;
  const payload: RecordPayload = {
    episode_type: given.episode_type ?? 'Observation',
    content: { primary, secondary: null, context: null, data, embedding },
    event_time_millis: given.event_time_millis ?? 0,
    valid_until_millis: given.valid_until_millis ?? null,
    tags: given.tags ?? [],
    metadata: given.metadata ?? {},
    source: given.source,
    derived_from: given.derived_from,
    superseded_by: given.superseded_by,
  };
  return {
    ...{ revision: 1, name, payload, createdAtMillis, modifiedAtMillis, keptUntilMillis: null },
    author: author ?? { subject_id: 'one', credential_id: 'c' },
  };
}

/** A value of a member, a record that matches it, and one that doesn't. */
interface Sample<M extends keyof SearchFilter> {
  readonly wanted: NonNullable<SearchFilter[M]>;
  readonly match: Given;
  readonly other: Given;
  /** Whether the entry of the other record tells that it doesn't match. */
  readonly isDecidedByEntries: boolean;
}

const time = { from_millis: 5, before_millis: 9 };
const words = { text: 'tea', match: 'all', diacritics: 'exact', forms: 'exact' } as const;

const SOURCE_ID = '01934f2a-7c1b-7000-8000-000000000001';
const source = (revision: number) => ({ scope: null, record_id: SOURCE_ID, revision });

/** Does not compile without samples of a member that decides by itself. */
const samples: {
  readonly [M in keyof Omit<FilterMembers, 'include_superseded'>]: readonly Sample<M>[];
} = {
  words: [
    { wanted: words, match: {}, other: { primary: 'steam' }, isDecidedByEntries: true },
    {
      wanted: { ...words, diacritics: 'ignored' },
      match: { primary: 'TÉA' },
      other: { primary: 'coffee' },
      isDecidedByEntries: true,
    },
  ],
  text_contains: [
    { wanted: 'N TE', match: {}, other: { primary: 'Tea' }, isDecidedByEntries: true },
  ],
  episode_types: [
    {
      wanted: [{ Custom: 'Error' }],
      match: { episode_type: { Custom: 'Error' } },
      other: { episode_type: 'Error' },
      isDecidedByEntries: true,
    },
    {
      wanted: ['Error', 'Decision'],
      match: { episode_type: 'Decision' },
      other: {},
      isDecidedByEntries: false,
    },
  ],
  tags: [
    {
      wanted: { all: ['a', 'b'] },
      match: { tags: ['b', 'a'] },
      other: { tags: ['a', 'ab'] },
      isDecidedByEntries: true,
    },
    {
      wanted: { any: ['a', 'b'] },
      match: { tags: ['b'] },
      other: { tags: ['c'] },
      isDecidedByEntries: false,
    },
    {
      wanted: { all: ['a'], none: ['b'] },
      match: { tags: ['a'] },
      other: { tags: ['a', 'b'] },
      isDecidedByEntries: false,
    },
  ],
  author: [
    {
      wanted: { subject_id: 'one', credential_id: null },
      match: {},
      other: { author: { subject_id: 'two', credential_id: 'c' } },
      isDecidedByEntries: false,
    },
  ],
  event_time: [
    {
      wanted: time,
      match: { event_time_millis: 5 },
      other: { event_time_millis: 9 },
      isDecidedByEntries: false,
    },
  ],
  created: [
    {
      wanted: time,
      match: { createdAtMillis: 8 },
      other: { createdAtMillis: 4 },
      isDecidedByEntries: false,
    },
  ],
  modified: [
    {
      wanted: time,
      match: { modifiedAtMillis: 8 },
      other: { modifiedAtMillis: 9 },
      isDecidedByEntries: false,
    },
  ],
  valid_at_millis: [
    {
      wanted: 5,
      match: { event_time_millis: 5 },
      other: { event_time_millis: 6 },
      isDecidedByEntries: false,
    },
  ],
  expired: [
    {
      wanted: 'hidden',
      match: { valid_until_millis: NOW_MS + 1 },
      other: { valid_until_millis: NOW_MS },
      isDecidedByEntries: true,
    },
    {
      wanted: 'only',
      match: { valid_until_millis: NOW_MS },
      other: { valid_until_millis: NOW_MS + 1 },
      isDecidedByEntries: false,
    },
  ],
  name_prefix: [
    { wanted: 'a/', match: { name: 'a/b' }, other: { name: 'b/a/' }, isDecidedByEntries: false },
  ],
  named_in: [
    {
      wanted: 'when is teatime for Ann?',
      match: { name: 'users/ann' },
      other: { name: 'ann/users' },
      isDecidedByEntries: false,
    },
    {
      wanted: 'a gren tea',
      match: { tags: ['x', 'Green tea'] },
      other: { tags: ['tea green', 'teas'] },
      isDecidedByEntries: false,
    },
  ],
  embedded: [
    {
      wanted: true,
      match: { embedding: [1] },
      other: { embedding: [] },
      isDecidedByEntries: false,
    },
  ],
  sources: [
    {
      wanted: ['user', 'tool'],
      match: { source: 'tool' },
      other: { source: 'model' },
      isDecidedByEntries: false,
    },
  ],
  derived_from: [
    {
      wanted: { record_id: SOURCE_ID, revision: null },
      match: { derived_from: [source(2)] },
      other: {},
      isDecidedByEntries: false,
    },
    {
      wanted: { record_id: SOURCE_ID, revision: 1 },
      match: { derived_from: [source(2), source(1)] },
      other: { derived_from: [source(2)] },
      isDecidedByEntries: false,
    },
  ],
  members: [
    {
      wanted: [{ of: 'data', path: ['a'], equals: 1 }],
      match: { data: { a: 1 } },
      other: { metadata: { a: 1 } },
      isDecidedByEntries: false,
    },
  ],
};

const cases = Object.entries(samples).flatMap(([member, each]) =>
  each.map((sample) => ({ member, ...sample })),
);

/** Returns whether a scan of entries finds a record. */
function isFound(record: StoredRecord, { entries, nowMs }: ReturnType<typeof compileSearch>) {
  const parts = record.payload && searchPartsOf(record.payload);
  const bytes = searchLayout.encode({ revision: record.revision, parts }, 0, 0);
  const entry = searchLayout.decode({ bytes, start: 0, end: bytes.length });
  const hasTerms = entries.terms?.isMatch(entries.terms.bitsIn(entry.texts)) ?? true;
  return entry.isVisible(nowMs) && entry.matches(entries) && hasTerms;
}

test.each(cases)('$member: $wanted', ({ member, wanted, match, other, isDecidedByEntries }) => {
  const compiled = compileSearch({ ...everything, [member]: wanted }, NOW_MS);
  const [matching, different] = [recordWith(match), recordWith(other)];
  expect(compiled.matches(matching)).toBe(true);
  expect(compiled.matches(different)).toBe(false);
  expect(isFound(matching, compiled)).toBe(true);
  expect(compiled.isDecidedByEntries).toBe(isDecidedByEntries);
  if (isDecidedByEntries) expect(isFound(different, compiled)).toBe(false);
});

test('what a successor ended is found if that is wanted, and nothing else that has expired', () => {
  const ended = { valid_until_millis: NOW_MS - 1 };
  const replaced = { ...ended, superseded_by: SOURCE_ID };
  const matching = (filter: Partial<SearchFilter>) => {
    const compiled = compileSearch({ ...everything, ...filter }, NOW_MS);
    return [recordWith({}), recordWith(ended), recordWith(replaced)].map(
      (record) => compiled.matches(record) && isFound(record, compiled),
    );
  };
  expect(matching({})).toEqual([true, false, false]);
  expect(matching({ include_superseded: true })).toEqual([true, false, true]);
  expect(matching({ include_superseded: true, expired: 'only' })).toEqual([false, true, true]);
  expect(matching({ include_superseded: true, expired: 'included' })).toEqual([true, true, true]);
});

test('all members decide together, and one that records decide needs them', () => {
  const decided = { ...everything, text_contains: 'tea', tags: { all: ['a'] } };
  expect(compileSearch(decided, NOW_MS).isDecidedByEntries).toBe(true);
  const both = compileSearch({ ...decided, name_prefix: 'a' }, NOW_MS);
  expect(both.isDecidedByEntries).toBe(false);
  expect(both.matches(recordWith({ tags: ['a'], name: 'ab' }))).toBe(true);
  expect(both.matches(recordWith({ tags: ['a'] }))).toBe(false);
  expect(both.matches(recordWith({ name: 'ab' }))).toBe(false);
});

test('a deleted record matches no filter', () => {
  const compiled = compileSearch({ ...everything, expired: 'included' }, NOW_MS);
  const deleted = { ...recordWith({}), payload: null };
  expect([compiled.matches(deleted), isFound(deleted, compiled)]).toEqual([false, false]);
});

test('a table without a row for a member does not compile', () => {
  const { members, ...others } = filterMembers;
  // @ts-expect-error A row is missing.
  const incomplete: FilterMembers = others;
  expect({ ...incomplete, members }).toEqual(filterMembers);
});
