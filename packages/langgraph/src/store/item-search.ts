/** Searches of items below a prefix. */
import type {
  Agent,
  ScopeInput,
  SearchFilterInput,
  SearchMatch,
  SearchOptions,
} from '@agentkeep/client';
import type { SearchItem, SearchOperation } from '@langchain/langgraph-checkpoint';
import { type ItemFilter, meets, membersOf } from './item-filter.js';
import { itemOf } from './item-record.js';
import { tagBelow } from './namespace-tags.js';
import { wordsOf } from './query-words.js';

/** How items are ordered that a query is given for. */
export type QueryOrder = 'nearest' | 'hybrid';

/** Most matches of one page of a search. */
const PAGE_MAX = 100;

/** Searches one scope as an agent. */
export class ItemSearch {
  readonly #agent: Agent;
  readonly #scope: ScopeInput;
  readonly #queryOrder: QueryOrder;

  constructor(agent: Agent, scope: ScopeInput, queryOrder: QueryOrder) {
    this.#agent = agent;
    this.#scope = scope;
    this.#queryOrder = queryOrder;
  }

  /** Returns the items that match, from `offset` on, at most `limit` of them. */
  async search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, limit = 10, offset = 0, query = '' } = operation;
    const filter: ItemFilter = operation.filter ?? {};
    const found: SearchItem[] = [];
    if (limit <= 0) return found;
    const members = membersOf(filter);
    const wanted: SearchFilterInput = {
      tags: { all: [tagBelow(namespacePrefix)] },
      ...(members.length === 0 ? {} : { members }),
    };
    let passed = 0;
    for await (const match of this.#matches(wanted, query, Math.min(offset + limit, PAGE_MAX))) {
      const item = itemOf(match.record);
      if (!meets(item.value, filter)) continue;
      passed += 1;
      if (passed <= offset) continue;
      found.push({ ...item, ...scoreOf(match) });
      if (found.length === limit) break;
    }
    return found;
  }

  /** Yields each match once: those with a vector by their order, then the others by their age. */
  async *#matches(
    wanted: SearchFilterInput,
    query: string,
    limit: number,
  ): AsyncGenerator<SearchMatch, void> {
    const { memory } = this.#agent;
    const byAge = { order: 'oldest', limit } as const;
    if (query === '' || !memory.embeds) {
      yield* memory.search(this.#scope, wanted, byAge);
      return;
    }
    const seen = new Set<string>();
    for await (const match of memory.search(this.#scope, wanted, this.#by(query, limit))) {
      seen.add(match.record.record_id);
      yield match;
    }
    const rest = { ...wanted, embedded: false };
    for await (const match of memory.search(this.#scope, rest, byAge)) {
      if (!seen.has(match.record.record_id)) yield match;
    }
  }

  #by(query: string, limit: number): SearchOptions {
    const vector = { text: query };
    const text = this.#queryOrder === 'hybrid' ? wordsOf(query) : '';
    if (text === '') return { order: 'nearest', vector, limit };
    return { order: 'hybrid', vector, words: { text, match: 'any' }, limit };
  }
}

/** Returns the cosine similarity that was measured, if one was. */
function scoreOf({ distance }: SearchMatch): { score?: number } {
  return typeof distance === 'number' ? { score: 1 - distance } : {};
}
