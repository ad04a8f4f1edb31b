/**
 * A filter of a search, compiled once for a request: a necessary condition on search entries, and a
 * test of records that decides.
 */
import type {
  SearchFilter as EntryFilter,
  WantedTerms,
} from '../../../../kernel/ports/memory-scan.js';
import type { JsonValue } from '../../../../contract/schema/json.js';
import type { RecordPayload } from '../../documents/schema.js';
import type { StoredRecord } from '../../record/record-layout.js';
import { searchFilterOf } from '../../record/search-entry.js';
import { DEFAULT_SPACE } from '../../documents/default-space.js';
import { foldText, type TextRange } from '../../text/fold-text.js';
import type { WordForms } from '../../text/word-forms.js';
import type { SearchFilter, WordFilter } from '../documents/schema.js';
import type { Term } from '../documents/word-terms.js';
import { bitCount } from './bits.js';
import { type Asked, askedBy, type Condition, conditionsOf, type Fact } from './filter-members.js';
import { mergedRanges, rangesOf, WantedWords } from './find-words.js';

/** A compiled filter. */
export interface CompiledSearch {
  /** The space of the embeddings that it compares. */
  readonly space: string;
  /** The condition on search entries. Every match meets it. */
  readonly entries: EntryFilter;
  /** An entry that ends at or before this time is not a match. */
  readonly nowMs: number;
  /** Of one that ended at or before this time, the record decides; absent where none is a match. */
  readonly endedMs: number | undefined;
  /** Whether every unended entry that meets the condition is a match. */
  readonly isDecidedByEntries: boolean;
  /** What is asked of facts of records. */
  readonly facts: readonly Fact<JsonValue>[];
  /** Whether every unended entry that meets the condition is a match if its facts are met. */
  readonly isDecidedByFacts: boolean;
  /** Returns whether a record matches. */
  readonly matches: (record: StoredRecord) => boolean;
  /** Returns each condition of the filter and whether a record meets it; none for a deleted one. */
  readonly conditions: (record: StoredRecord) => readonly Condition[];
  /** Returns how many terms of the words are in a record; `undefined` where none are wanted. */
  readonly wordsFound: (record: StoredRecord) => number | undefined;
  /** The words that rank matches, of the filter or beside it; absent where none are wanted. */
  readonly ranking: WantedTerms | undefined;
  /** The terms of the words that matches must have, at most 32. */
  readonly terms: readonly Term[];
  /** Returns which of these a record has, a bit for each by its index. */
  readonly termsFound: (record: StoredRecord) => number;
  /** The terms that rank matches: those of the ranking words, or else of the filter. */
  readonly rankedTerms: readonly Term[];
  /** Returns which of these a record has; `undefined` if it does not match the ranking words. */
  readonly rankedTermsFound: (record: StoredRecord) => number | undefined;
  /** Returns how often a record has each of them; nothing for a deleted one. */
  readonly timesFound: (record: StoredRecord) => Uint8Array;
  /**
   * Reads a text, for some of them by their bits; the result says how often a part of it has each,
   * nothing for none.
   */
  readonly timesWithin: (
    text: string,
    among?: number,
  ) => (from: number, to: number) => Uint8Array | undefined;
  /** The words that rank matches beside the filter; absent if those of the filter do. */
  readonly rankedWords: WantedTerms | undefined;
  /** Returns the ranges of a folded text that contain the words or the substring. */
  readonly rangesIn: (folded: string) => readonly TextRange[];
}

/** What a search has beside its filter. */
interface BesideFilter {
  /** Words that matches are ranked by, beside those of the filter. */
  readonly rankedBy?: WordFilter | null;
  readonly forms?: WordForms | undefined;
  readonly rankedForms?: WordForms | undefined;
  /** The space of the embeddings that it compares. */
  readonly space?: string | undefined;
}

/** Compiles a filter for the present time, with the words that rank matches, if there are any. */
export function compileSearch(
  filter: SearchFilter,
  nowMs: number,
  { rankedBy = null, forms, rankedForms, space = DEFAULT_SPACE }: BesideFilter = {},
): CompiledSearch {
  const ranked = rankedBy === null ? undefined : new WantedWords(rankedBy, rankedForms);
  const words = filter.words === null ? undefined : new WantedWords(filter.words, forms);
  const termsFound = words === undefined ? () => 0 : bitsByRecord(words);
  const rankedFound = ranked === undefined ? termsFound : bitsByRecord(ranked);
  const ranking = ranked ?? words;
  const withSuperseded = filter.include_superseded;
  const asked = askedBy(filter, { nowMs, words, space, withSuperseded });
  return {
    space,
    entries: entryFilterOf(asked),
    // No end is as early as this, but scans still leave out deleted records.
    nowMs: asked.some(({ entries }) => entries?.isUnended) ? nowMs : -Infinity,
    endedMs: asked.some(({ entries }) => entries?.isUnendedOrSuperseded) ? nowMs : undefined,
    isDecidedByEntries: asked.every((each) => each.isDecidedByEntries),
    facts: asked.flatMap((each) => (each.isDecidedByEntries ? [] : (each.facts ?? []))),
    isDecidedByFacts: asked.every((each) => each.isDecidedByEntries || each.facts !== undefined),
    conditions: ({ payload, ...record }) =>
      payload === null
        ? []
        : asked.flatMap((each) =>
            conditionsOf(each, { ...record, payload }, () => foldedTexts(payload)),
          ),
    wordsFound: (record) =>
      ranking === undefined || record.payload === null ? undefined : bitCount(rankedFound(record)),
    ranking,
    terms: words?.terms ?? [],
    termsFound,
    rankedWords: ranked,
    rankedTerms: ranking?.terms ?? [],
    rankedTermsFound: (record) => {
      if (record.payload === null) return undefined;
      const found = rankedFound(record);
      return ranked?.isMatch(found) === false ? undefined : found;
    },
    timesFound: ({ payload }) =>
      payload === null || ranking === undefined
        ? new Uint8Array(0)
        : ranking.timesIn(foldedTexts(payload)),
    timesWithin: (text, among) => ranking?.timesWithin(text, among) ?? (() => undefined),
    rangesIn: (folded) =>
      mergedRanges([
        ...rangesOf(foldText(filter.text_contains ?? ''), folded),
        ...(words?.rangesIn(folded) ?? []),
        ...(ranked?.rangesIn(folded) ?? []),
      ]),
    matches: (record) => {
      const { payload } = record;
      if (payload === null) return false;
      let folded: readonly string[] | undefined;
      const texts = () => (folded ??= foldedTexts(payload));
      return asked.every(({ test }) => test({ ...record, payload }, texts));
    },
  };
}

/** Returns which terms a record has; for the record that it was asked for last, at once. */
function bitsByRecord(words: WantedWords): (record: StoredRecord) => number {
  let last: RecordPayload | undefined;
  let bits = 0;
  return ({ payload }) => {
    if (payload === null) return 0;
    if (payload !== last) bits = words.bitsIn(foldedTexts(payload));
    last = payload;
    return bits;
  };
}

/** Returns the three texts of a payload, folded. */
export function foldedTexts({ content }: RecordPayload): readonly string[] {
  const { primary, secondary, context } = content;
  return [foldText(primary), foldText(secondary ?? ''), foldText(context ?? '')];
}

function entryFilterOf(asked: readonly Asked[]): EntryFilter {
  const needs = asked.flatMap(({ entries }) => entries ?? []);
  const parts = needs.flatMap(({ parts }) => parts ?? []);
  return searchFilterOf({
    // Entries decide on a text only if they are tested for it. The longest part is in the fewest.
    text:
      needs.find(({ text }) => text !== undefined)?.text ??
      parts.toSorted((one, other) => other.length - one.length)[0] ??
      null,
    type: needs.find(({ type }) => type !== undefined)?.type ?? null,
    tags: needs.flatMap(({ tags }) => tags ?? []),
    terms: needs.find(({ terms }) => terms !== undefined)?.terms,
  });
}
