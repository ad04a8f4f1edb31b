/**
 * Recalls what answers a question, from one scope or several.
 *
 * Joins what a question finds by its words with what it finds by its embedding, each in its order,
 * so that a record counts for its place in both.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { refuseUnknownOptions, wrongMembers } from '../../contract/errors/arguments.js';
import {
  SEARCH_LIMIT_MAX,
  SEARCH_PASSAGE_BYTES_MAX,
  SEARCH_PASSAGE_BYTES_MIN,
} from '../../contract/limits.js';
import { cutText } from '../../contract/texts/cut-text.js';
import type { AsOf } from '../../domains/memory/documents/as-of-schema.js';
import type { MemoryRecord } from '../../domains/memory/documents/schema.js';
import type {
  SearchFilterInput,
  SearchMatch,
  SearchOrder,
  SearchPage,
  SearchTextInput,
  SearchVectorInput,
  WordFilterInput,
} from '../../domains/memory/search/documents/schema.js';
import type { MemoryScopeInput } from '../../kernel/access/scope.js';
import type { CallOptions } from '../call.js';
import { pagesFrom } from '../lists/page-walk.js';
import { joinedMatches } from './join-matches.js';
import {
  type Budget,
  CONVERSATION_GAP_MS,
  type Recollection,
  recollectionOf,
  utf8Length,
  withinBudget,
  wordsOfQuestion,
} from './recollection.js';

/** What is recalled. */
export interface RecallOptions extends CallOptions {
  /** Most records, 1 to 100; default 10. */
  readonly limit?: number | undefined;
  /** Most bytes of text, or most of what `sizeOf` returns, for all records together. */
  readonly bytes?: number | undefined;
  /** The size of a text, such as its number of tokens. Default: its UTF-8 bytes. */
  readonly sizeOf?: ((text: string) => number) | undefined;
  /**
   * Most UTF-8 bytes of a text that is recalled as a whole, 256 to 65,536; of a longer one, `text`
   * is the passage of whole sentences that has the words best. `Infinity` for whole texts. Default:
   * 2,000.
   */
  readonly passageBytes?: number | undefined;
  /** How many records of the same conversation to add before and after each; default 0. */
  readonly around?: number | undefined;
  /** The language of the question, or `exact` for words as they are; default `english`. */
  readonly language?: WordFilterInput['forms'];
  /**
   * The embedding of the question, so that records count that say it in other words. Default: what
   * `embed` of the keep or client makes of it, or else the server; without any, words decide alone.
   */
  readonly vector?: readonly number[] | undefined;
  /** The embedding space of `vector`; default: that of the scopes. */
  readonly space?: string | undefined;
  /** The state that is recalled from; default: the current one. */
  readonly asOf?: AsOf | undefined;
  /**
   * Called once before the answer, where `asOf` has `missing: 'left_out'`, with the number of
   * records of the scopes of which nothing is kept, whatever the question
   * (docs/contract/as-of.md#aso-16).
   */
  readonly onMissing?: ((records: number) => void) | undefined;
  /** What records must match beside. */
  readonly filter?: Omit<SearchFilterInput, 'words'> | undefined;
}

/** Where is recalled. */
export interface RecallPlace {
  readonly scopes: readonly MemoryScopeInput[];
  readonly server: ServerFacts;
}

/** What a client has learned of its server. */
export interface ServerFacts {
  /** Whether the server makes embeddings, so that a question goes to it as a text. */
  embeds: boolean;
}

/** The searches that a recall is made of. */
interface Searches {
  readonly embeds: boolean;
  readonly embeddingSpace: string | undefined;
  embedQuery(text: string): Promise<readonly number[]>;
  searchPage(filter: SearchFilterInput, options: SearchedBy): Promise<SearchPage>;
  search(filter: SearchFilterInput, options: SearchedBy): AsyncIterable<SearchMatch>;
}

type SearchPages = Searches['searchPage'];

interface SearchedBy extends CallOptions {
  readonly scopes: readonly MemoryScopeInput[];
  readonly order: SearchOrder;
  readonly words?: WordFilterInput;
  readonly vector?: SearchVectorInput | SearchTextInput;
  readonly space?: string | undefined;
  readonly asOf?: AsOf | undefined;
  readonly limit: number;
  readonly passageBytes?: number | undefined;
  readonly successors?: boolean | undefined;
  readonly cursor?: string;
}

const CALL = 'memory.recall()';
const A_QUESTION = { path: 'question', expected: 'a text' };
const A_LIMIT = { path: 'limit', expected: `an integer from 1 to ${SEARCH_LIMIT_MAX}` };
const A_FILTER = { path: 'filter', expected: 'an object' };
const A_PASSAGE = {
  path: 'passageBytes',
  expected: `an integer from ${SEARCH_PASSAGE_BYTES_MIN} to ${SEARCH_PASSAGE_BYTES_MAX}, or Infinity`,
};
const LIMIT_DEFAULT = 10;
const PASSAGE_BYTES_DEFAULT = 2_000;
/** UTF-16 units of a question that an embedding is made of; models refuse long texts. */
const EMBEDDED_UNITS_MAX = 4_000;
const OPTIONS = [
  ...(['limit', 'bytes', 'sizeOf', 'passageBytes', 'around', 'language'] as const),
  ...(['vector', 'space', 'asOf', 'onMissing', 'filter', 'signal'] as const),
] as const;

/** Returns the best answers first; none for a question without a word or a vector. */
export async function recallFrom(
  memory: Searches,
  place: RecallPlace,
  question: string,
  options: RecallOptions = {},
): Promise<Recollection[]> {
  refuseUnknownOptions(CALL, options, OPTIONS);
  const { limit = LIMIT_DEFAULT, filter = {} } = options;
  const { bytes = Infinity, sizeOf = utf8Length, around = 0 } = options;
  if (typeof question !== 'string') throw wrongMembers(CALL, [A_QUESTION]);
  if (!Number.isInteger(limit) || limit < 1 || limit > SEARCH_LIMIT_MAX) {
    throw wrongMembers(CALL, [A_LIMIT]);
  }
  if (typeof filter !== 'object' || Array.isArray(filter)) throw wrongMembers(CALL, [A_FILTER]);
  const budget = { limit, size: bytes, sizeOf };
  const missing: number[] = [];
  const searchPage: SearchPages = async (...asked) => {
    const page = await memory.searchPage(...asked);
    if (page.missing_records !== undefined) missing.push(page.missing_records);
    return page;
  };
  const found = await foundFor(memory, place, question, { ...options, budget, searchPage });
  if (missing.length > 0) options.onMissing?.(Math.max(...missing));
  if (around === 0) return withinBudget(found, budget);
  const { asOf, signal } = options;
  const whole: Recollection[] = [];
  for (const each of found.slice(0, limit)) {
    whole.push({ ...each, ...(await conversationOf(memory, each, { around, asOf, signal })) });
  }
  return withinBudget(whole, budget);
}

/** Returns what answers a question, in order; by words alone, no more than the budget needs. */
async function foundFor(
  memory: Searches,
  { scopes, server }: RecallPlace,
  question: string,
  options: RecallOptions & { readonly budget: Budget; readonly searchPage: SearchPages },
): Promise<Recollection[]> {
  const { language = 'english', filter = {}, asOf, signal, budget, searchPage } = options;
  const most = passageBytesOf(options);
  const passageBytes = most === Infinity ? undefined : most;
  const text = wordsOfQuestion(question);
  const words = text === '' ? undefined : ({ text, match: 'any', forms: language } as const);
  const values = await valuesOf(memory, question, options);
  const asked = { scopes, limit: SEARCH_LIMIT_MAX, asOf, signal } as const;
  // Where ended records are wanted themselves, they keep their places.
  const successors = (filter.expired ?? 'hidden') === 'hidden' && !filter.include_superseded;
  const best = { ...asked, order: 'best_words', passageBytes, successors } as const;
  const mayAsk = options.vector === undefined && !memory.embeds && question.trim() !== '';
  if (values === undefined && !(mayAsk && server.embeds)) {
    if (words === undefined) return [];
    const found = { ...best, limit: budget.limit };
    const bounds = { ...budget, passageBytes: most, mayAsk };
    const matches = await bestMatches(searchPage, { ...filter, words }, found, bounds);
    if (matches !== undefined) return matches;
    server.embeds = true;
  }
  const space = options.space ?? (options.vector === undefined ? memory.embeddingSpace : undefined);
  const near =
    values === undefined
      ? { vector: { text: askedText(question) } }
      : { vector: { values }, space };
  const [byWords, nearest] = await Promise.all([
    words === undefined ? [] : firstMatches(searchPage, { ...filter, words }, best),
    firstMatches(searchPage, filter, { ...asked, order: 'nearest', ...near }).catch(
      (error: unknown) => {
        // A server that makes no embeddings any more refuses the text; words answer there.
        const isRefused =
          error instanceof AgentkeepError &&
          error.members.some(({ path }) => path === 'vector.text');
        if (values !== undefined || words === undefined || !isRefused) throw error;
        server.embeds = false;
        return [];
      },
    ),
  ]);
  return joinedMatches(byWords, nearest).map((match) => recollectionOf(match, most));
}

function passageBytesOf({ passageBytes = PASSAGE_BYTES_DEFAULT }: RecallOptions): number {
  const isInRange =
    Number.isInteger(passageBytes) &&
    passageBytes >= SEARCH_PASSAGE_BYTES_MIN &&
    passageBytes <= SEARCH_PASSAGE_BYTES_MAX;
  if (!isInRange && passageBytes !== Infinity) throw wrongMembers(CALL, [A_PASSAGE]);
  return passageBytes;
}

/**
 * Returns the best matches, page by page, until they fill the budget; `undefined` where the server
 * turns out to make embeddings, and may be asked for that of the question.
 */
async function bestMatches(
  searchPage: SearchPages,
  filter: SearchFilterInput,
  asked: SearchedBy,
  budget: Budget & { readonly passageBytes: number; readonly mayAsk: boolean },
): Promise<Recollection[] | undefined> {
  const found: Recollection[] = [];
  const pages = pagesFrom(null, (position) => {
    // More than a page is wanted only where texts are too large for the budget.
    const limit = found.length === 0 ? asked.limit : SEARCH_LIMIT_MAX;
    return searchPage(filter, { ...asked, limit, ...position });
  });
  for await (const { matches, meaning_space: space } of pages) {
    if (budget.mayAsk && space !== undefined) return undefined;
    found.push(...matches.map((match) => recollectionOf(match, budget.passageBytes)));
    const isFull = withinBudget(found, budget).length === budget.limit;
    if (isFull || found.length >= SEARCH_LIMIT_MAX) break;
  }
  return found;
}

/** Returns the first page with matches: pages are empty while records are left to examine. */
async function firstMatches(searchPage: SearchPages, filter: SearchFilterInput, asked: SearchedBy) {
  const pages = pagesFrom(null, (position) => searchPage(filter, { ...asked, ...position }));
  for await (const { matches } of pages) {
    if (matches.length > 0) return matches;
  }
  return [];
}

/** Returns the embedding of the question; none if it is all zeros, which has no nearest. */
async function valuesOf(
  memory: Searches,
  question: string,
  { vector }: RecallOptions,
): Promise<number[] | undefined> {
  if (vector === undefined && !memory.embeds) return undefined;
  const asked = askedText(question);
  const values = vector ?? (asked.trim() === '' ? [] : await memory.embedQuery(asked));
  return values.some((value) => value !== 0) ? [...values] : undefined;
}

function askedText(question: string): string {
  return cutText(question.toWellFormed(), EMBEDDED_UNITS_MAX);
}

/** Returns the records right before and after one, each within two minutes of the next one. */
async function conversationOf(
  memory: Searches,
  { scope, record }: Recollection,
  { around, ...rest }: { readonly around: number } & Pick<RecallOptions, 'asOf' | 'signal'>,
): Promise<Pick<Recollection, 'before' | 'after'>> {
  const at = record.payload.event_time_millis;
  const span = CONVERSATION_GAP_MS * around;
  const near = async (order: 'newest_event' | 'oldest_event') => {
    const [from_millis, last] = order === 'newest_event' ? [at - span, at] : [at, at + span];
    const event_time = { from_millis, before_millis: last + 1 };
    const limit = Math.min(SEARCH_LIMIT_MAX, 2 * around + 1);
    const options = { scopes: [scope], order, limit, ...rest };
    const found: MemoryRecord[] = [];
    for await (const match of memory.search({ event_time }, options)) {
      if (isBehind(match.record, record, order)) found.push(match.record);
      if (found.length === around) break;
    }
    return found;
  };
  const [before, after] = [await near('newest_event'), await near('oldest_event')];
  return { before: before.reverse(), after };
}

/** Whether a record comes after another one in an order by time; ids decide at equal times. */
function isBehind(
  one: MemoryRecord,
  other: MemoryRecord,
  order: 'newest_event' | 'oldest_event',
): boolean {
  const time = one.payload.event_time_millis - other.payload.event_time_millis;
  const isLater = time > 0 || (time === 0 && one.record_id > other.record_id);
  return one.record_id !== other.record_id && isLater === (order === 'oldest_event');
}
