/**
 * A filter of a search, compiled once for a request: what search entries must contain, which is
 * necessary, and a test of records, which decides.
 */
import type {
  SearchFilter as EntryFilter,
  WantedBytes,
} from '../../../runtime/ports/memory-scan.js';
import { foldCase } from '../../text/case-fold.js';
import { BytePattern } from '../../text/find-bytes.js';
import type { StoredRecord } from '../../record/record-layout.js';
import type { RecordPayload } from '../../documents/schema.js';
import { searchFilterOf } from '../../record/search-entry.js';
import type { WordForms } from '../../text/word-forms.js';
import type { Term } from '../documents/word-terms.js';
import { mergedPlaces, type Place, placesOf, WantedWords } from './find-words.js';
import { embeddingOf } from './embedding-of.js';
import { memberTest } from './match-member.js';
import type { SearchFilter, TagFilter, TimeFilter, WordFilter } from '../documents/schema.js';

/** What is left of a record when it isn't deleted. */
type Current = Omit<StoredRecord, 'payload'> & { readonly payload: RecordPayload };

/** Decides on a record; its texts are folded when they are needed. */
type Test = (record: Current, texts: () => readonly string[]) => boolean;

/** A compiled filter. */
export interface CompiledSearch {
  /** What the entry of every match contains. */
  readonly entries: EntryFilter;
  /** Entries that end by then are no matches. */
  readonly nowMs: number;
  /** Whether entries that contain it, and haven't ended, are the matches. */
  readonly isDecidedByEntries: boolean;
  /** Returns whether a record matches. */
  readonly matches: (record: StoredRecord) => boolean;
  /** Returns how many terms of the words are in a record; `undefined` where none are wanted. */
  readonly wordsFound: (record: StoredRecord) => number | undefined;
  /** The terms of the words that matches must have, at most 32. */
  readonly terms: readonly Term[];
  /** Returns which of these a record has, a bit for each by its index. */
  readonly termsFound: (record: StoredRecord) => number;
  /**
   * Returns how many terms are in a record that has enough of the words that matches are ranked by;
   * `undefined` for any other record, and where none are wanted.
   */
  readonly rankedWords: (record: StoredRecord) => number | undefined;
  /** Texts of which every record with such a number has one; absent where none are known. */
  readonly rankedTexts: readonly WantedBytes[] | undefined;
  /** Returns where words and substring are in a folded text, in UTF-16 units. */
  readonly placesIn: (folded: string) => readonly Place[];
}

/** What is known of the words of a search. */
interface WordsOfSearch {
  /** Words that matches are ranked by, beside those of the filter. */
  readonly rankedBy?: WordFilter | null;
  readonly forms?: WordForms | undefined;
  readonly rankedForms?: WordForms | undefined;
}

/** Compiles a filter for the present time, and the words that matches are ranked by beside it. */
export function compileSearch(
  filter: SearchFilter,
  nowMs: number,
  { rankedBy = null, forms, rankedForms }: WordsOfSearch = {},
): CompiledSearch {
  const ranked = rankedBy === null ? undefined : new WantedWords(rankedBy, rankedForms);
  const words = filter.words === null ? undefined : new WantedWords(filter.words, forms);
  const tests = testsOf(filter, nowMs, words);
  return {
    entries: entryFilterOf(filter, words),
    // Deleted records have no end, not even this one.
    nowMs: filter.expired === 'hidden' ? nowMs : -Infinity,
    isDecidedByEntries: isDecidedByEntries(filter),
    wordsFound: ({ payload }) =>
      payload === null ? undefined : (ranked ?? words)?.foundIn(foldedTexts(payload)),
    terms: words?.terms ?? [],
    termsFound: ({ payload }) => {
      if (payload === null || words === undefined) return 0;
      const found = words.termsIn(foldedTexts(payload));
      return words.terms.reduce((bits, term, at) => bits + (found.has(term) ? 2 ** at : 0), 0);
    },
    rankedTexts: ranked?.someOf?.map((text) => new BytePattern(Buffer.from(text))),
    rankedWords: ({ payload }) => {
      if (payload === null || ranked === undefined) return undefined;
      const texts = foldedTexts(payload);
      return ranked.matches(texts) ? ranked.foundIn(texts) : undefined;
    },
    placesIn: (folded) =>
      mergedPlaces([
        ...placesOf(foldCase(filter.text_contains ?? ''), folded),
        ...(words?.placesIn(folded) ?? []),
        ...(ranked?.placesIn(folded) ?? []),
      ]),
    matches: (record) => {
      const { payload } = record;
      if (payload === null) return false;
      let folded: readonly string[] | undefined;
      const texts = () => (folded ??= foldedTexts(payload));
      return tests.every((test) => test({ ...record, payload }, texts));
    },
  };
}

/** Returns the three texts of a payload, folded. */
function foldedTexts({ content }: RecordPayload): readonly string[] {
  const { primary, secondary, context } = content;
  return [foldCase(primary), foldCase(secondary ?? ''), foldCase(context ?? '')];
}

function entryFilterOf(
  { text_contains, episode_types, tags }: SearchFilter,
  words: WantedWords | undefined,
): EntryFilter {
  const [type, ...otherTypes] = episode_types ?? [];
  // The longest one is in the fewest entries.
  const needed = [text_contains ?? '', ...(words?.needed ?? [])];
  const longest = needed.toSorted((one, other) => other.length - one.length)[0];
  return searchFilterOf({
    text: longest ?? null,
    type: type === undefined || otherTypes.length > 0 ? null : type,
    tags: tags?.all ?? [],
  });
}

/** Returns whether {@link entryFilterOf} has everything that a filter asks for. */
function isDecidedByEntries(filter: SearchFilter): boolean {
  const { words, episode_types, tags, author, valid_at_millis, expired, name_prefix } = filter;
  const { event_time, created, modified, members, embedded } = filter;
  const unanswered = [
    ...[words, author, valid_at_millis, name_prefix, event_time, created, modified, embedded],
  ];
  return (
    unanswered.every((member) => member === null) &&
    members === undefined &&
    expired !== 'only' &&
    (episode_types?.length ?? 1) === 1 &&
    tags?.any === undefined &&
    tags?.none === undefined
  );
}

function testsOf(
  filter: SearchFilter,
  nowMs: number,
  words: WantedWords | undefined,
): readonly Test[] {
  const { author, expired, valid_at_millis: validAt, name_prefix: prefix } = filter;
  const endsBy = ({ valid_until_millis: end }: RecordPayload, at: number) =>
    end !== null && end <= at;
  const contained = foldCase(filter.text_contains ?? '');
  const types = filter.episode_types?.map((type) => JSON.stringify(type));
  const tests: (Test | false | undefined)[] = [
    expired !== 'included' && (({ payload }) => endsBy(payload, nowMs) === (expired === 'only')),
    validAt !== null &&
      (({ payload }) => payload.event_time_millis <= validAt && !endsBy(payload, validAt)),
    types && (({ payload }) => types.includes(JSON.stringify(payload.episode_type))),
    filter.tags !== null && tagTest(filter.tags),
    author !== null && authorTest(author),
    filter.embedded !== null && ((record) => embeddingOf(record).length > 0 === filter.embedded),
    prefix !== null && (({ name }) => name?.startsWith(prefix) === true),
    filter.event_time !== null &&
      timeTest(filter.event_time, ({ payload }) => payload.event_time_millis),
    filter.created !== null && timeTest(filter.created, ({ createdAtMillis }) => createdAtMillis),
    filter.modified !== null &&
      timeTest(filter.modified, ({ modifiedAtMillis }) => modifiedAtMillis),
    ...(filter.members ?? []).map((member): Test => {
      const test = memberTest(member);
      return ({ payload }) => test(payload);
    }),
    contained !== '' && ((_record, texts) => texts().some((text) => text.includes(contained))),
    words && ((_record, texts) => words.matches(texts())),
  ];
  return tests.filter((test) => test !== false && test !== undefined);
}

function authorTest({ subject_id, credential_id }: NonNullable<SearchFilter['author']>): Test {
  return ({ author }) =>
    (subject_id === null || subject_id === author.subject_id) &&
    (credential_id === null || credential_id === author.credential_id);
}

function tagTest({ all = [], any, none = [] }: TagFilter): Test {
  return ({ payload: { tags } }) =>
    all.every((tag) => tags.includes(tag)) &&
    (any === undefined || any.some((tag) => tags.includes(tag))) &&
    !none.some((tag) => tags.includes(tag));
}

function timeTest(
  { from_millis: from, before_millis: before }: TimeFilter,
  timeOf: (record: Current) => number,
): Test {
  return (record) => {
    const time = timeOf(record);
    return (from === null || time >= from) && (before === null || time < before);
  };
}
