/** Searching bytes gives the same results as the rules of the contract on the record itself. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equated } from '@agentkeep/testkit/equated';
import type { EpisodeType, RecordPayload } from '../documents/schema.js';
import {
  type SearchEntry,
  searchFilterOf,
  searchLayout,
  searchPartsOf,
  type StoredSearchEntry,
} from './search-entry.js';

const letters = fc.constantFrom(
  'a',
  'A',
  'b',
  'σ',
  'ς',
  'Σ',
  'k',
  'K',
  'ſ',
  'İ',
  'ẞ',
  '\u0301',
  'ﬁ',
  ' ',
  '𐐀',
  '𐐨',
);
const text = fc.string({ unit: letters, maxLength: 8 });
const type: fc.Arbitrary<EpisodeType> = fc.oneof(
  fc.constantFrom('Conversation' as const, 'Decision' as const),
  fc.record({ Custom: fc.constantFrom('', 'Conversation', 'x') }),
);
const tag = fc.constantFrom('', 'a', 'A', 'ab', 'a b');
const payload: fc.Arbitrary<RecordPayload> = fc.record({
  episode_type: type,
  content: fc.record({
    primary: text,
    secondary: fc.option(text),
    context: fc.option(text),
    data: fc.constant(null),
    embedding: fc.constant(null),
  }),
  event_time_millis: fc.constant(0),
  valid_until_millis: fc.option(fc.integer({ min: -5, max: 5 })),
  tags: fc.array(tag, { maxLength: 3 }),
  metadata: fc.constant({}),
});
const wanted = fc.record({
  text: fc.option(text),
  type: fc.option(type),
  tags: fc.array(tag, { maxLength: 2 }),
});

/** Returns an entry between foreign bytes that look like text. */
function entryOf(entry: SearchEntry): StoredSearchEntry {
  const bytes = searchLayout.encode(entry, 2, 3);
  bytes.fill('aaa', bytes.length - 3);
  return searchLayout.decode({ bytes, start: 2, end: bytes.length - 3 });
}

test('an entry matches exactly when its record does, and is visible until it expires', () => {
  fc.assert(
    fc.property(payload, wanted, fc.integer({ min: -6, max: 6 }), (record, filter, now) => {
      const parts = searchPartsOf(record);
      const entry = entryOf({ revision: 3, parts });
      const { primary, secondary, context } = record.content;
      const part = equated(filter.text ?? '');
      const matches =
        [primary, secondary, context].some((it) => it !== null && equated(it).includes(part)) &&
        (filter.type === null ||
          JSON.stringify(filter.type) === JSON.stringify(record.episode_type)) &&
        filter.tags.every((it) => record.tags.includes(it));
      const end = record.valid_until_millis;
      expect(entry.matches(searchFilterOf(filter))).toBe(matches);
      expect(entry.isVisible(now)).toBe(end === null || now < end);
      expect(entry.revision).toBe(3);
    }),
    { numRuns: 2_000 },
  );
});

test('a tombstone is never visible', () => {
  const entry = entryOf({ revision: 2, parts: null });
  expect(entry.isVisible(0)).toBe(false);
});

test('an entry whose parts reach beyond its end is refused', () => {
  const bytes = Buffer.from('0001050645', 'hex');
  expect(() => searchLayout.decode({ bytes, start: 0, end: bytes.length })).toThrow(RangeError);
});
