/** Asks for a page of a list of records, as the address states it. */
import { AgentkeepError, type SearchMatch, type SearchVectorInput } from '@agentkeep/client';
import type { ScopedMemory } from '../../scopes/scoped-memory.js';
import { texts } from '../../texts/en/english.js';
import type { MemorySearch, Near } from './search-query.js';

/** Most records of one page. */
export const PAGE = 100;

/** Returns the next page that has records, or the last one. */
export async function nextPage(
  memory: ScopedMemory,
  search: MemorySearch,
  from: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly matches: readonly SearchMatch[]; readonly next_cursor: string | null }> {
  const { words, order, atMillis, space } = search;
  const isJoined = order === 'hybrid';
  const filter = isJoined || words === undefined ? search.filter : { ...search.filter, words };
  const vector = await vectorOf(memory, search, signal);
  const options = {
    ...{ order, limit: PAGE, signal },
    ...(vector === undefined ? {} : { vector }),
    ...(isJoined && words !== undefined ? { words } : {}),
    ...(givesPlaces(search) ? { successors: true } : {}),
    ...(space === undefined ? {} : { space }),
    ...stateAt(atMillis),
  };
  let cursor = from;
  for (;;) {
    const position = cursor === undefined ? {} : { cursor };
    const page = await memory.searchPage(filter, { ...options, ...position });
    if (page.matches.length > 0 || page.next_cursor === null) return page;
    cursor = page.next_cursor;
  }
}

/** Returns the state of a moment, without the records of which nothing is kept. */
export function stateAt(atMillis: number | undefined) {
  if (atMillis === undefined) return {};
  return { asOf: { millis: atMillis, missing: 'left_out' } } as const;
}

/** Whether ended records that match give their places to those that hold now, as in `recall()`. */
function givesPlaces({ order, filter }: MemorySearch): boolean {
  return order === 'best_words' && (filter.expired ?? 'hidden') === 'hidden';
}

async function vectorOf(
  memory: ScopedMemory,
  { order, near }: MemorySearch,
  signal: AbortSignal,
): Promise<SearchVectorInput | undefined> {
  if (near === undefined || (order !== 'nearest' && order !== 'hybrid')) return undefined;
  const { from, metric } = near;
  return { values: await valuesOf(memory, from, signal), metric };
}

async function valuesOf(
  memory: ScopedMemory,
  from: Near['from'],
  signal: AbortSignal,
): Promise<number[]> {
  if ('values' in from) return from.values;
  const { payload } = await memory.read(from.recordId, { signal });
  const { embedding } = payload.content;
  if (embedding !== null && embedding.length > 0) return embedding;
  throw new AgentkeepError('invalid_request', { message: texts.filters.noEmbedding });
}
