/** Schemas of the documents of `searchMemory` (docs/contract/search.md). */
import * as v from 'valibot';
import { MemoryScope } from '../../../../kernel/access/scope.js';
import {
  EVENT_TIME_MILLIS_MAX,
  EVENT_TIME_MILLIS_MIN,
  NAME_BYTES_MAX,
  QUERY_SCAN_LIMIT_MAX,
  QUERY_TAGS_MAX,
  SEARCH_CURSOR_CHARS_MAX,
  SEARCH_DIMENSIONS_MAX,
  SEARCH_HIGHLIGHTS_MAX,
  SEARCH_LIMIT_DEFAULT,
  SEARCH_LIMIT_MAX,
  SEARCH_MEMBERS_MAX,
  SEARCH_PASSAGE_BYTES_MAX,
  SEARCH_PASSAGE_BYTES_MIN,
  SEARCH_PATH_MAX,
  SEARCH_SCOPES_MAX,
  SEARCH_TEXT_BYTES_MAX,
  SEARCH_TIMES_MAX,
  SEARCH_TYPES_MAX,
  SEARCH_VALUES_MAX,
  SEARCH_WORDS_BYTES_MAX,
  SEARCH_WORDS_MAX,
} from '../../../../contract/limits.js';
import { closed, jsonValue, orNull } from '../../../../contract/schema/document.js';
import { describedAs, named } from '../../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  finiteNumber,
  integer,
} from '../../../../contract/schema/number.js';
import { textId, utf8Bytes } from '../../../../contract/schema/text.js';
import { uuid } from '../../../../contract/schema/uuid.js';
import { SpaceName } from '../../documents/attach-schema.js';
import { AsOf } from '../../documents/as-of-schema.js';
import { DerivedFilter, RecordSource } from '../../documents/lineage-schema.js';
import { Embedding, EpisodeType, MemoryRecord } from '../../documents/schema.js';
import { SearchExplanation } from './explanation-schema.js';
import { SearchCounts, WantedCounts } from './counts-schema.js';
import { RankJoin, SearchRanks } from './join-schema.js';
import { languages } from '../../text/word-forms.js';
import { termsOf } from './word-terms.js';

const time = () => boundedInteger(EVENT_TIME_MILLIS_MIN, EVENT_TIME_MILLIS_MAX);

/** Returns whether a text of bounded size has a word, and no more than so many. */
const isOfWords = (text: string, most = Infinity): boolean => {
  if (utf8Bytes(text) > SEARCH_WORDS_BYTES_MAX) return false;
  const { length } = termsOf(text);
  return length > 0 && length <= most;
};

/** Words that a record must have in its texts. */
const WordFilter = v.pipe(
  closed({
    text: v.pipe(
      v.string(),
      v.check(
        (text) => isOfWords(text, SEARCH_WORDS_MAX),
        `1 to ${SEARCH_WORDS_BYTES_MAX} UTF-8 bytes with 1 to ${SEARCH_WORDS_MAX} words`,
      ),
      describedAs({ type: 'string', minLength: 1, maxLength: SEARCH_WORDS_BYTES_MAX }),
    ),
    match: v.optional(v.picklist(['all', 'any']), 'all'),
    diacritics: v.optional(v.picklist(['exact', 'ignored']), 'exact'),
    /** With a language, words are found in all their forms, and stop words are left out. */
    forms: v.optional(v.picklist(['exact', ...languages]), 'exact'),
  }),
  named('WordFilter'),
);
export type WordFilter = v.InferOutput<typeof WordFilter>;
/** Words as callers write them. */
export type WordFilterInput = v.InferInput<typeof WordFilter>;

const tagList = () =>
  v.optional(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(QUERY_TAGS_MAX)));

/** Tags that a record must have, or must not have. */
const TagFilter = v.pipe(
  closed({ all: tagList(), any: tagList(), none: tagList() }),
  named('TagFilter'),
);
export type TagFilter = v.InferOutput<typeof TagFilter>;

/** The author of the last change. */
const AuthorFilter = v.pipe(
  closed({ subject_id: orNull(textId()), credential_id: orNull(uuid()) }),
  named('AuthorFilter'),
);

/** A span of time; a bound that is null is none. */
const TimeFilter = v.pipe(
  closed({ from_millis: orNull(time()), before_millis: orNull(time()) }),
  named('TimeFilter'),
);
export type TimeFilter = v.InferOutput<typeof TimeFilter>;

const bound = () => v.optional(v.union([v.string(), finiteNumber()]));
const values = () =>
  v.optional(v.pipe(v.array(jsonValue()), v.minLength(1), v.maxLength(SEARCH_VALUES_MAX)));

/** Conditions on one value of the free JSON of a record; all that are given must hold. */
const MemberFilter = v.pipe(
  closed({
    of: v.picklist(['metadata', 'data']),
    path: v.pipe(v.array(v.string()), v.maxLength(SEARCH_PATH_MAX)),
    exists: v.optional(v.boolean()),
    equals: v.optional(jsonValue()),
    not_equals: v.optional(jsonValue()),
    above: bound(),
    at_least: bound(),
    below: bound(),
    at_most: bound(),
    one_of: values(),
    none_of: values(),
    contains: v.optional(jsonValue()),
  }),
  named('MemberFilter'),
);
export type MemberFilter = v.InferOutput<typeof MemberFilter>;

/** What records must match, in all members that are given. */
export const SearchFilter = v.pipe(
  closed({
    words: orNull(WordFilter),
    text_contains: orNull(v.string()),
    episode_types: v.optional(
      v.pipe(v.array(EpisodeType), v.minLength(1), v.maxLength(SEARCH_TYPES_MAX)),
    ),
    tags: orNull(TagFilter),
    author: orNull(AuthorFilter),
    event_time: orNull(TimeFilter),
    created: orNull(TimeFilter),
    modified: orNull(TimeFilter),
    valid_at_millis: orNull(time()),
    expired: v.optional(v.picklist(['hidden', 'included', 'only']), 'hidden'),
    /** Whether records that a successor ended are found where expired ones are hidden. */
    include_superseded: v.optional(v.boolean(), false),
    name_prefix: orNull(textId(NAME_BYTES_MAX)),
    /** A text, such as a question; records whose name or tag occurs in it. */
    named_in: orNull(
      v.pipe(
        v.string(),
        v.check(
          (text) => isOfWords(text),
          `1 to ${SEARCH_WORDS_BYTES_MAX} UTF-8 bytes with a word`,
        ),
        describedAs({ type: 'string', minLength: 1, maxLength: SEARCH_WORDS_BYTES_MAX }),
      ),
    ),
    embedded: orNull(v.boolean()),
    /** What it came from: any of these. */
    sources: v.optional(
      v.pipe(
        v.array(RecordSource),
        v.minLength(1),
        v.maxLength(RecordSource.pipe[0].options.length),
      ),
    ),
    derived_from: orNull(DerivedFilter),
    members: v.optional(
      v.pipe(v.array(MemberFilter), v.minLength(1), v.maxLength(SEARCH_MEMBERS_MAX)),
    ),
  }),
  named('SearchFilter'),
);
export type SearchFilter = v.InferOutput<typeof SearchFilter>;
/** A filter as callers write it: all members are optional. */
export type SearchFilterInput = v.InferInput<typeof SearchFilter>;

/** The filter that matches every record that is not expired. */
export const everything: SearchFilter = v.parse(SearchFilter, {});

const nameOf = ({ project_id, mission_id, agent_id, visibility, branch }: MemoryScope): string =>
  JSON.stringify([project_id, mission_id, agent_id, visibility, branch ?? null]);

/** A vector to measure distances from. */
const SearchVector = v.pipe(
  closed({
    values: v.pipe(Embedding, v.minLength(1), v.maxLength(SEARCH_DIMENSIONS_MAX)),
    metric: v.optional(v.picklist(['cosine', 'dot', 'euclidean']), 'cosine'),
  }),
  named('SearchVector'),
);
export type SearchVector = v.InferOutput<typeof SearchVector>;
/** A vector as callers write it. */
export type SearchVectorInput = v.InferInput<typeof SearchVector>;

const isEmbeddable = (text: string): boolean =>
  text.trim() !== '' && utf8Bytes(text) <= SEARCH_TEXT_BYTES_MAX;
/** A text whose embedding the server makes, to measure distances from. */
const SearchText = v.pipe(
  closed({
    text: v.pipe(
      v.string(),
      v.check(isEmbeddable, `1 to ${SEARCH_TEXT_BYTES_MAX} UTF-8 bytes, not only spaces`),
      describedAs({ type: 'string', minLength: 1, maxLength: SEARCH_TEXT_BYTES_MAX }),
    ),
    metric: v.optional(v.picklist(['cosine', 'dot', 'euclidean']), 'cosine'),
  }),
  named('SearchText'),
);
/** A text to measure distances from, as callers write it. */
export type SearchTextInput = v.InferInput<typeof SearchText>;

/** Whether the server made an embedding of the text of a search. */
const embeddingStates = v.picklist(['made', 'not_understood', 'unavailable']);
const TextEmbedding = v.pipe(embeddingStates, named('TextEmbedding'));

/**
 * The order of matches: by creation, event, change, the number of words found, how rare the words
 * are, how well a text and its neighbours in time have them, distance, or words and distance.
 */
export const SearchOrder = v.pipe(
  v.picklist([
    ...(['newest', 'oldest', 'newest_event', 'oldest_event'] as const),
    ...(['newest_change', 'oldest_change', 'most_words', 'rarest_words'] as const),
    ...(['best_words', 'nearest', 'hybrid'] as const),
  ]),
  named('SearchOrder'),
);
export type SearchOrder = v.InferOutput<typeof SearchOrder>;

/** The body of a search. */
export const SearchRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scopes: v.pipe(
      v.array(MemoryScope),
      v.minLength(1),
      v.maxLength(SEARCH_SCOPES_MAX),
      v.check((all) => new Set(all.map(nameOf)).size === all.length, 'scopes that differ'),
      describedAs({ uniqueItems: true }),
    ),
    filter: orNull(SearchFilter),
    /** The state that is searched; null for the current one. */
    as_of: orNull(AsOf),
    order: v.optional(SearchOrder, 'newest'),
    vector: orNull(
      v.union([SearchVector, SearchText], '{"values": [<number>, …]} or {"text": "<text>"}'),
    ),
    /**
     * The embedding space of the vector and of `embedded` in the filter; null for the default of
     * the scopes.
     */
    space: orNull(SpaceName),
    /** What the order `hybrid` goes by beside the vector; records need not have them. */
    words: orNull(WordFilter),
    /** How `hybrid` joins its ranks; null for an offset of 60 and equal weights. */
    join: orNull(RankJoin),
    counts: orNull(WantedCounts),
    highlights: v.optional(v.boolean(), false),
    /** Most bytes of a passage, in the order `best_words`; null for no passages. */
    passage_bytes: orNull(boundedInteger(SEARCH_PASSAGE_BYTES_MIN, SEARCH_PASSAGE_BYTES_MAX, 0)),
    /** In the order `best_words`, whether those that hold now get the places of ended ones. */
    successors: v.optional(v.boolean(), false),
    explain: v.optional(v.boolean(), false),
    /** The record of which the page says why it matches, or why not. */
    explain_record: orNull(uuid()),
    limit: v.optional(boundedInteger(1, SEARCH_LIMIT_MAX, 0), SEARCH_LIMIT_DEFAULT),
    scan_limit: v.optional(boundedInteger(1, QUERY_SCAN_LIMIT_MAX, 0), QUERY_SCAN_LIMIT_MAX),
    cursor: orNull(v.pipe(v.string(), v.maxLength(SEARCH_CURSOR_CHARS_MAX))),
  }),
  v.check(
    ({ scopes, as_of }) => as_of === null || scopes.every(({ branch }) => branch === undefined),
    'a branch or as_of, not both',
  ),
  named('SearchRequest'),
);
export type SearchRequest = v.InferOutput<typeof SearchRequest>;

/** A term of the words that a match has. */
const FoundTerm = v.pipe(
  closed({
    /** As the query has it. */
    text: v.string(),
    /** How many matches of the search have it. */
    records: integer(1),
    /** How often its texts have it, 4 for more; in the order `best_words`. */
    times: v.optional(integer(1, SEARCH_TIMES_MAX)),
  }),
  named('FoundTerm'),
);
export type FoundTerm = v.InferOutput<typeof FoundTerm>;

/** Where a match is in one of the three texts, in UTF-16 units. */
const SearchHighlight = v.pipe(
  closed({
    member: v.picklist(['primary', 'secondary', 'context']),
    from: integer(),
    to: integer(1),
  }),
  named('SearchHighlight'),
);
export type SearchHighlight = v.InferOutput<typeof SearchHighlight>;

/** A part of the primary text of a match, in UTF-16 units. */
const SearchPassage = v.pipe(closed({ from: integer(), to: integer(1) }), named('SearchPassage'));
export type SearchPassage = v.InferOutput<typeof SearchPassage>;

/** A record that matches, and its scope. */
export const SearchMatch = v.pipe(
  closed({
    scope: MemoryScope,
    record: MemoryRecord,
    /** How many terms of the words are in its texts, in the orders that go by them. */
    words_found: v.optional(integer(0, SEARCH_WORDS_MAX)),
    /**
     * Its terms of the words and how rare they are, in the orders `rarest_words`, `best_words` and
     * `hybrid`.
     */
    terms: v.optional(v.pipe(v.array(FoundTerm), v.maxLength(SEARCH_WORDS_MAX))),
    /** Terms that it lacks and a neighbour in time has, in the order `best_words`. */
    nearby: v.optional(v.pipe(v.array(FoundTerm), v.maxLength(SEARCH_WORDS_MAX))),
    /** The best part of a primary text that is longer than was asked for. */
    passage: v.optional(SearchPassage),
    /** From the vector, in the orders that go by it. */
    distance: v.optional(finiteNumber()),
    /** In the order `hybrid`. */
    ranks: v.optional(SearchRanks),
    /** With `successors`, the id of the ended record whose place it has. */
    in_place_of: v.optional(uuid()),
    /** Present if they were asked for. */
    highlights: v.optional(v.pipe(v.array(SearchHighlight), v.maxLength(SEARCH_HIGHLIGHTS_MAX))),
  }),
  named('SearchMatch'),
);
export type SearchMatch = v.InferOutput<typeof SearchMatch>;

/** Why a record matches a search, or why not, and at which place it comes. */
export const RecordExplanation = v.pipe(
  closed({
    record_id: uuid(),
    /** Null if none of the scopes searched has a current record with this id. */
    scope: v.nullable(MemoryScope),
    matches: v.boolean(),
    /** Of the filter, in the order in which they are tested. */
    conditions: v.array(closed({ path: v.string(), holds: v.boolean() })),
    /** The terms of the words of the filter that it has, as the query has them. */
    terms_found: v.pipe(v.array(v.string()), v.maxLength(SEARCH_WORDS_MAX)),
    /** From 1; null if it doesn't match, isn't ranked, or too many entries would be examined. */
    place: v.nullable(integer(1)),
    /** As the search shows it; absent if its place is null. */
    match: v.optional(SearchMatch),
  }),
  named('RecordExplanation'),
);
export type RecordExplanation = v.InferOutput<typeof RecordExplanation>;

/** One page of a search. */
export const SearchPage = v.pipe(
  closed({
    matches: v.pipe(v.array(SearchMatch), v.maxLength(SEARCH_LIMIT_MAX)),
    next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(SEARCH_CURSOR_CHARS_MAX))),
    scanned_records: integer(0, QUERY_SCAN_LIMIT_MAX),
    /**
     * How many matches there are in all, with the first ones in the orders `rarest_words` and
     * `best_words`; how many of them have the words, in the order `hybrid`.
     */
    counted_matches: v.optional(integer()),
    /**
     * In the order `best_words`: the space in which the server makes embeddings of records and of
     * texts of searches. Absent if it makes none.
     */
    meaning_space: v.optional(SpaceName),
    /** With the text of a vector: whether it was embedded. Without an embedding nothing matches. */
    text_embedding: v.optional(TextEmbedding),
    /** Records that are left out since nothing is kept of them, if `as_of` says `left_out`. */
    missing_records: v.optional(integer()),
    /** Of the entries of this page, if they were asked for. */
    counts: v.optional(SearchCounts),
    /** What the page took, if it was asked for. */
    explanation: v.optional(SearchExplanation),
    /** Why a record matches, or why not, if that was asked for. */
    record_explanation: v.optional(RecordExplanation),
  }),
  named('SearchPage'),
);
export type SearchPage = v.InferOutput<typeof SearchPage>;

/** The answer to a search. */
export const SearchResponse = v.pipe(
  closed({ contract_version: answeredVersion, page: SearchPage }),
  named('SearchResponse'),
);
