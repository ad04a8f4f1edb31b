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

/** How items are ordered that a query is given for, where they have embeddings. */
export type QueryOrder = 'nearest' | 'hybrid';

/** Decides which items a query finds. */
export interface QueryOptions {
  /**
   * The least score, -1 to 1. Items without a score are left out too. A query that uses words alone
   * finds the items that have one of them. Default: all items, the best ones first.
   */
  readonly similarityThreshold?: number | undefined;
}

/** A search, with the further options of the stores of LangGraph. */
export type ItemSearchOperation = SearchOperation & QueryOptions;

/** An item that was found, with its record. */
export interface FoundItem {
  readonly item: SearchItem;
  readonly record: SearchMatch['record'];
}

/** The filter and the order of a read. */
type Asked = readonly [SearchFilterInput, SearchOptions];

const BY_AGE: Asked = [{}, { order: 'oldest' }];

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
  async search(operation: ItemSearchOperation): Promise<FoundItem[]> {
    const { limit = 10, offset = 0 } = operation;
    const filter: ItemFilter = operation.filter ?? {};
    const found: FoundItem[] = [];
    if (limit <= 0) return found;
    let passed = 0;
    for await (const match of this.#matches(operation, Math.min(offset + limit, PAGE_MAX))) {
      const item = { ...itemOf(match.record), ...scoreOf(match) };
      if (!meets(item.value, filter)) continue;
      passed += 1;
      if (passed <= offset) continue;
      found.push({ item, record: match.record });
      if (found.length === limit) break;
    }
    return found;
  }

  /**
   * Yields each match once. The order of a query leaves out what it can't rank, which changes with
   * every write and embedding, so a second read has everything that matches, in an order
   * that no write changes.
   */
  async *#matches(
    { namespacePrefix, filter = {}, query = '', similarityThreshold }: ItemSearchOperation,
    limit: number,
  ): AsyncGenerator<SearchMatch, void> {
    const members = membersOf(filter as ItemFilter);
    const wanted: SearchFilterInput = {
      tags: { all: [tagBelow(namespacePrefix)] },
      ...(members.length === 0 ? {} : { members }),
    };
    const byQuery = query === '' ? undefined : await this.#by(query);
    const isRanked = byQuery !== undefined && similarityThreshold !== undefined;
    const reads = byQuery === undefined ? [BY_AGE] : isRanked ? [byQuery] : [byQuery, BY_AGE];
    const seen = new Set<string | undefined>();
    for (const [asked, order] of reads) {
      const found = this.#agent.memory
        .in(this.#scope)
        .search({ ...wanted, ...asked }, { ...order, limit });
      for await (const match of found) {
        const { name } = match.record;
        if (seen.has(name) || (isRanked && isBelow(match, order, similarityThreshold))) continue;
        seen.add(name);
        yield match;
      }
    }
  }

  /** Returns the order of a query: by its vector if it has one, or else by its words, if any. */
  async #by(query: string): Promise<Asked | undefined> {
    const { memory } = this.#agent;
    const text = wordsOf(query);
    const words = { text, match: 'any', forms: 'english' } as const;
    const values = memory.embeds ? await memory.embedQuery(query) : [];
    // Zeros have no direction, and 32 bits decide what is zero.
    if (values.some((value) => Math.fround(value) !== 0)) {
      const vector = { values: [...values] };
      const isHybrid = this.#queryOrder === 'hybrid' && text !== '';
      return [{}, isHybrid ? { order: 'hybrid', vector, words } : { order: 'nearest', vector }];
    }
    return text === '' ? undefined : [{ words }, { order: 'rarest_words' }];
  }
}

/** Returns whether a match of a search by vector is below the threshold. */
function isBelow(match: SearchMatch, { vector }: SearchOptions, least: number): boolean {
  return vector !== undefined && !((scoreOf(match).score ?? -Infinity) >= least);
}

/** Returns the cosine similarity that was measured, if one was. */
function scoreOf({ distance }: SearchMatch): { score?: number } {
  return typeof distance === 'number' ? { score: 1 - distance } : {};
}
