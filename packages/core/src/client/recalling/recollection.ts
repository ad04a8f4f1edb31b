/** What is recalled: the words that are looked for, how a match is shown, and how much fits. */
import type { Scope } from '../../kernel/access/scope.js';
import { SEARCH_WORDS_BYTES_MAX, SEARCH_WORDS_MAX } from '../../contract/limits.js';
import type { MemoryRecord } from '../../domains/memory/documents/schema.js';
import { composeText } from '../../domains/memory/text/compose-text.js';
import { RUN } from '../../domains/memory/text/run-pattern.js';
import type {
  FoundTerm,
  SearchMatch,
  SearchPassage,
} from '../../domains/memory/search/documents/schema.js';

/** What was recalled, the best answer first. */
export interface Recollection {
  /** The main text of the record or, of a long one, the passage that answers best. */
  readonly text: string;
  /** Where the passage is in the main text, in UTF-16 units; absent if it is the whole. */
  readonly passage?: SearchPassage;
  readonly record: MemoryRecord;
  readonly scope: Scope;
  /** Why it was found: its words of the question, how often it has each, how many matches do. */
  readonly terms: readonly FoundTerm[];
  /** Words of the question that it lacks and that were said right before or after it. */
  readonly nearby: readonly FoundTerm[];
  /** With a vector, the cosine distance from the question; absent without an embedding. */
  readonly distance?: number;
  /** Id of a record that it superseded, directly or through others, and whose place it has. */
  readonly inPlaceOf?: string;
  /** With `around`, the records of its conversation before and after it, in order of time. */
  readonly before?: readonly MemoryRecord[];
  readonly after?: readonly MemoryRecord[];
}

/** Milliseconds between the events of two records of one conversation, at most. */
export const CONVERSATION_GAP_MS = 120_000;

const encoder = new TextEncoder();

/** Returns the size of a text in UTF-8 bytes. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Characters of the parts of a clause whose script puts no spaces between words. */
const PART_CHARS = 2;

/**
 * Returns the words of a question as a search takes them, without its syntax: of too many, the
 * longest, which are the rarest ones as a rule. Empty if it has none.
 */
export function wordsOfQuestion(question: string): string {
  const all = [...new Set(Array.from(composeText(question).matchAll(RUN), piecesOf).flat())];
  const longest = all.toSorted((one, other) => other.length - one.length);
  const kept = new Set(longest.slice(0, SEARCH_WORDS_MAX));
  let words = '';
  for (const word of all.filter((each) => kept.has(each))) {
    const more = words === '' ? word : `${words} ${word}`;
    if (utf8Length(more) > SEARCH_WORDS_BYTES_MAX) continue;
    words = more;
  }
  return words;
}

/** Returns the run of a match, or its parts where the script puts no spaces between words. */
function piecesOf({ 0: run, groups }: RegExpMatchArray): readonly string[] {
  const characters = groups?.['part'] === undefined ? [] : Array.from(run);
  if (characters.length <= PART_CHARS) return [run];
  return characters
    .slice(0, 1 - PART_CHARS)
    .map((_, at) => characters.slice(at, at + PART_CHARS).join(''));
}

/** Returns a match as it is recalled, a long text as a passage of at most so many bytes. */
export function recollectionOf(
  { scope, record, terms = [], nearby = [], passage: found, distance, in_place_of }: SearchMatch,
  passageBytes: number,
): Recollection {
  const { primary } = record.payload.content;
  // What is found by its embedding alone has no best passage, so that it is shown from its start.
  const passage = found ?? startOf(primary, passageBytes);
  const text = passage === undefined ? primary : primary.slice(passage.from, passage.to);
  return {
    ...{ text, record, scope, terms, nearby },
    ...(passage === undefined ? {} : { passage }),
    ...(distance === undefined ? {} : { distance }),
    ...(in_place_of === undefined ? {} : { inPlaceOf: in_place_of }),
  };
}

/** Returns the start of a text that is longer than so many bytes. */
function startOf(text: string, bytes: number): SearchPassage | undefined {
  if (3 * text.length <= bytes || utf8Length(text) <= bytes) return undefined;
  return { from: 0, to: encoder.encodeInto(text, new Uint8Array(bytes)).read };
}

/** Compares matches by the time of their events; ids decide at equal times. */
export function compareTimes(one: SearchMatch, other: SearchMatch): number {
  return timeOf(one) - timeOf(other) || (one.record.record_id < other.record.record_id ? -1 : 1);
}

/** Returns when what a match says happened, in Unix milliseconds. */
export function timeOf({ record }: SearchMatch): number {
  return record.payload.event_time_millis;
}

/** How much is recalled. */
export interface Budget {
  readonly limit: number;
  /** Most of what {@link sizeOf} returns for all texts together. */
  readonly size: number;
  readonly sizeOf: (text: string) => number;
}

/** Returns the first recollections that fit; one that is too large is left out. */
export function withinBudget(
  found: readonly Recollection[],
  { limit, size, sizeOf }: Budget,
): Recollection[] {
  // Without a bound no text is measured.
  if (size === Infinity) return found.slice(0, limit);
  const kept: Recollection[] = [];
  let left = size;
  for (const each of found) {
    if (kept.length === limit) break;
    const { before = [], after = [] } = each;
    const around = [...before, ...after].map(({ payload }) => payload.content.primary);
    const own = [each.text, ...around].reduce((sum, text) => sum + sizeOf(text), 0);
    if (own > left) continue;
    left -= own;
    kept.push(each);
  }
  return kept;
}
