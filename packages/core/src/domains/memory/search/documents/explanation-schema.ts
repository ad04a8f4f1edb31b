/** Schema of the explanation of a page of `searchMemory` (docs/contract/search.md#sea-38). */
import * as v from 'valibot';
import { closed } from '../../../../contract/schema/document.js';
import { named } from '../../../../contract/schema/json-schema.js';
import { integer } from '../../../../contract/schema/number.js';

/** How a page was found. */
const SearchPath = v.picklist(['by_id', 'by_rank', 'by_joined_ranks', 'counted']);
export type SearchPath = v.InferOutput<typeof SearchPath>;

/** What search entries are tested for before a record is read. */
const EntryTest = v.picklist(['expiry', 'text', 'type', 'tags']);
export type EntryTest = v.InferOutput<typeof EntryTest>;

/** What a page took. */
export const SearchExplanation = v.pipe(
  closed({
    path: SearchPath,
    entry_tests: v.array(EntryTest),
    /** Reads of the store, each of one state of it. */
    slices: integer(),
    /** Search entries that were examined, those behind the end of the page included. */
    entries: integer(),
    /** Entries of these that were in the segment cache. */
    cached_entries: integer(),
    /** Entries of these that passed the tests of entries. */
    found_entries: integer(),
    /** Records that were read. */
    records: integer(),
    record_bytes: integer(),
    /** Records of these that passed the whole filter. */
    matches: integer(),
    /** In microseconds. */
    took: closed({
      /** Examination of entries. */
      entries_micros: integer(),
      /** Reading and testing records. */
      records_micros: integer(),
      /** Waiting for other heavy calls. */
      turns_micros: integer(),
      /** Everything, from the first slice to the last. */
      total_micros: integer(),
    }),
  }),
  named('SearchExplanation'),
);
export type SearchExplanation = v.InferOutput<typeof SearchExplanation>;
