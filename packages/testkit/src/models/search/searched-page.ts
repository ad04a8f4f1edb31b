/** What a search asks for, and what a page of it has. */
import type {
  MemoryRecord,
  ScopeInput,
  SearchCounts,
  SearchFilterInput,
  SearchMatch,
  SearchOrder,
  SearchVectorInput,
  WantedCountsInput,
  WordFilterInput,
} from '@agentkeep/core';

/** A match and its place in an order that isn't that of ids. */
export interface Ranked {
  readonly key: number;
  readonly id: string;
}

/** The first matches so far, and how many joined ones earlier pages have once all are known. */
export interface JoinedModel {
  readonly words: readonly Ranked[];
  readonly vector: readonly Ranked[];
  readonly passed?: number;
}

/** A term of a query that is in a record. */
export interface FoundTermModel {
  /** Its place in the query, which tells it from other terms. */
  readonly at: number;
  readonly said: string;
}

/** One of the best matches, with the terms that its neighbours have. */
export interface BestModel {
  readonly id: string;
  readonly revision: number;
  readonly nearby: readonly FoundTermModel[];
}

/** A search as the contract writes it, without version and cursor. */
export interface Search {
  readonly scopes: readonly ScopeInput[];
  readonly filter?: SearchFilterInput;
  readonly order?: SearchOrder;
  readonly vector?: SearchVectorInput;
  /** The embedding space. */
  readonly space?: string;
  readonly words?: WordFilterInput;
  readonly join?: { readonly offset?: number; readonly vector_weight?: number };
  readonly counts?: WantedCountsInput;
  readonly highlights?: boolean;
  /** Whether ended records give their places away; the model has none. */
  readonly successors?: boolean;
  /** The model doesn't know what a search takes. */
  readonly explain?: boolean;
  readonly limit?: number;
  readonly scan_limit?: number;
}

/** How many matches there are, and how many of them have each term. */
export interface Rarities {
  readonly matches: number;
  readonly records: Readonly<Record<number, number>>;
}

/** What a cursor holds. */
export interface SearchStart {
  /** Id of the last record that was examined. */
  readonly id?: string | undefined;
  /** The last match of the page before. */
  readonly start?: Ranked | undefined;
  /** The first matches so far of the page that is being made. */
  readonly top?: readonly Ranked[];
  /** The first matches by words and by distance, and how many joined ones were passed. */
  readonly joined?: JoinedModel;
  /** The best matches that are left to show, once their order is known. */
  readonly best?: readonly BestModel[];
  /** The matches that are counted, and whether all are. */
  readonly rarities?: Rarities & { readonly isWhole: boolean };
}

/** A page of a search. */
export interface SearchedPage {
  readonly matches: readonly SearchMatch[];
  readonly scanned: number;
  /** In the order of rarity, once all matches are counted. */
  readonly counted_matches?: number;
  /** Where the next page goes on. */
  readonly next: SearchStart | undefined;
  readonly counts?: SearchCounts;
}

/** A record, or the rest of a deleted one, in its space. */
export interface Entry {
  readonly space: string;
  readonly record: Omit<MemoryRecord, 'payload'> & {
    readonly payload: MemoryRecord['payload'] | null;
  };
}

/** The records of a search: all of them, those behind the cursor, and which of them match. */
export interface SearchedRecords {
  readonly all: readonly Entry[];
  readonly behind: readonly Entry[];
  readonly shown: (entry: Entry) => SearchMatch | undefined;
}
