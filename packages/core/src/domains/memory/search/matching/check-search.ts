/** Checks that the members of a search fit together. Schemas check each member alone. */
import { AgentkeepError } from '../../../../contract/errors/agentkeep-error.js';
import type { SearchOrder, SearchRequest } from '../documents/schema.js';
import type { WantedVector } from './wanted-vector.js';

const ordersOfWords: ReadonlySet<SearchOrder> = new Set([
  'most_words',
  'rarest_words',
  'best_words',
]);

/**
 * Checks that an order has the members that it needs, and that counts use an order of ids and
 * explain no record.
 *
 * @throws {AgentkeepError} `invalid_request`, naming the member that lacks another one.
 */
export function checkSearch(
  {
    order,
    filter,
    counts,
    words: ranked,
    explain_record: explained,
    join,
    passage_bytes,
  }: SearchRequest,
  vector: WantedVector | undefined,
): void {
  const words = filter?.words ?? null;
  const isByIds = order === 'newest' || order === 'oldest';
  if (counts !== null && !isByIds) throw refused('order', 'newest or oldest, with counts');
  if (counts !== null && explained !== null) throw refused('explain_record', 'no counts');
  if (ordersOfWords.has(order) && words === null) throw refused('order', 'words in the filter');
  if (passage_bytes !== null && order !== 'best_words') {
    throw refused('passage_bytes', 'the order best_words');
  }
  if (join !== null && order !== 'hybrid') throw refused('join', 'the order hybrid');
  if (order === 'nearest' && vector === undefined) throw refused('order', 'a vector');
  if (order === 'hybrid') {
    if (ranked === null || vector === undefined) throw refused('order', 'words and a vector');
  } else if (ranked !== null) throw refused('words', 'the order hybrid');
  else if (order !== 'nearest' && vector !== undefined) {
    throw refused('vector', 'the order nearest or hybrid');
  }
  if (vector?.isMeasurable === false) throw refused('vector.values', 'a number other than 0');
}

function refused(path: string, expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path, expected }] });
}
