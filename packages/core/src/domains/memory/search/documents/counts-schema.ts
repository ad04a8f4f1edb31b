/** Schemas of the counts of `searchMemory` (docs/contract/search.md#sea-33). */
import * as v from 'valibot';
import { INTEGER_MAX, QUERY_SCAN_LIMIT_MAX } from '../../../../contract/limits.js';
import { closed } from '../../../../contract/schema/document.js';
import { describedAs, named } from '../../../../contract/schema/json-schema.js';
import { integer } from '../../../../contract/schema/number.js';
import { textId } from '../../../../contract/schema/text.js';
import { EpisodeType } from '../../documents/schema.js';

/** What matches can be counted by. */
export const CountedBy = v.picklist([
  ...(['type', 'tag', 'author', 'event_day', 'created_day', 'modified_day'] as const),
]);
export type CountedBy = v.InferOutput<typeof CountedBy>;

/** Asks for counts instead of records. */
export const WantedCounts = v.pipe(
  closed({
    by: v.optional(
      v.pipe(
        v.array(CountedBy),
        v.check((by) => new Set(by).size === by.length, 'values that differ'),
        describedAs({ uniqueItems: true }),
      ),
      () => [],
    ),
  }),
  named('WantedCounts'),
);
export type WantedCounts = v.InferOutput<typeof WantedCounts>;
/** Counts as callers ask for them. */
export type WantedCountsInput = v.InferInput<typeof WantedCounts>;

const matches = () => integer(1);
/** A UTC day, as its first millisecond. */
const DayCount = v.pipe(
  closed({ from_millis: integer(-INTEGER_MAX), matches: matches() }),
  named('DayCount'),
);
const days = () => v.optional(v.array(DayCount));

/** Numbers of matches, in all and by groups. */
export const SearchCounts = v.pipe(
  closed({
    matches: integer(0, QUERY_SCAN_LIMIT_MAX),
    types: v.optional(
      v.array(
        v.pipe(closed({ episode_type: EpisodeType, matches: matches() }), named('TypeCount')),
      ),
    ),
    tags: v.optional(
      v.array(v.pipe(closed({ tag: v.string(), matches: matches() }), named('TagCount'))),
    ),
    /** By the subject of the last change. */
    authors: v.optional(
      v.array(v.pipe(closed({ subject_id: textId(), matches: matches() }), named('AuthorCount'))),
    ),
    /** By UTC day, as its first millisecond. */
    event_days: days(),
    created_days: days(),
    modified_days: days(),
  }),
  named('SearchCounts'),
);
export type SearchCounts = v.InferOutput<typeof SearchCounts>;
