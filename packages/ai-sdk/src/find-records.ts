/** Finds records about a text: by its words, and by its meaning if the agent embeds. */
import type {
  Agent,
  MemoryRecord,
  ScopeInput,
  SearchFilterInput,
  SearchOptions,
  SearchVectorInput,
} from '@agentkeep/client';

/** Terms of a search; the contract allows 32. */
const TERMS_MAX = 24;

/** Characters of one word that are searched for. */
const WORD_CHARS_MAX = 32;

/** Characters of a text that an embedding is made of; models refuse long ones. */
const EMBEDDED_CHARS_MAX = 4_000;

const WORD = /[\p{L}\p{N}]+/gu;

/** Scripts whose words are separated, so that a word is one term. */
const SEPARATED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]+$/u;

/** The conditions of a search. */
export interface Wanted {
  readonly scope: ScopeInput;
  readonly text: string;
  /** Most records. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the records that have most of the words of a text, those with more words first. If the
 * agent embeds, words and meaning count, and the nearest records are found even if none is near.
 */
export async function findRecords(
  { memory }: Agent,
  { scope, text, limit, signal }: Wanted,
): Promise<MemoryRecord[]> {
  const words = searchedWords(text);
  if (words === '') return [];
  const vector = memory.embeds ? await meaningOf(memory, text) : undefined;
  const [filter, order] = vector === undefined ? byWords(words) : byBoth(vector, words);
  const found: MemoryRecord[] = [];
  for await (const { record } of memory.in(scope).search(filter, { ...order, limit, signal })) {
    found.push(record);
    if (found.length >= limit) break;
  }
  return found;
}

/** The filter of a search and its order. */
type Search = readonly [SearchFilterInput, SearchOptions];

function byWords(text: string): Search {
  return [{ words: { text, match: 'any' } }, { order: 'most_words' }];
}

/** Returns the embedding of a text; none if it is all zeros, which has no nearest. */
async function meaningOf(
  memory: Agent['memory'],
  text: string,
): Promise<SearchVectorInput | undefined> {
  const values = await memory.embedQuery(text.slice(0, EMBEDDED_CHARS_MAX).toWellFormed());
  return values.some((value) => value !== 0) ? { values: [...values] } : undefined;
}

function byBoth(vector: SearchVectorInput, words: string): Search {
  return [{}, { order: 'hybrid', vector, words: { text: words, match: 'any' } }];
}

/** Returns the words of a text to search for, or none. Short ones count if there are no others. */
export function searchedWords(text: string): string {
  const all = [...new Set(text.toWellFormed().normalize().toLowerCase().match(WORD) ?? [])];
  const long = all.filter((word) => word.length > 2 || !SEPARATED.test(word));
  let left = TERMS_MAX;
  const kept = (long.length > 0 ? long : all).flatMap((word) => {
    const isOneTerm = SEPARATED.test(word);
    const part = word.slice(0, isOneTerm ? WORD_CHARS_MAX : Math.max(0, left)).toWellFormed();
    left -= isOneTerm ? 1 : part.length;
    return left < 0 ? [] : part.replaceAll('\ufffd', '');
  });
  return kept.filter((word) => word !== '').join(' ');
}
